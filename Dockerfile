# Builds, and then keeps the production packages only.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs its install script here: SQLite comes compiled, and Node.js is there.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production
COPY LICENSE /app/LICENSE
COPY --from=build /app/package.json /app/package.json
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
RUN install --directory --owner=node --group=node --mode=700 /state
VOLUME /state
USER node
# Paths in the configuration count from here, so that its usual `state: state/bugferry.db` is on the volume.
WORKDIR /
# The program handles SIGTERM itself, so it needs no init in front of it.
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["run", "--config", "/config/bridge.yaml"]
