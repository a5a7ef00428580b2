# The first stage builds; the second contains the program and nothing else. The steps are in scripts/assemble.sh.
FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json LICENSE ./
COPY scripts ./scripts
RUN sh scripts/assemble.sh install
COPY tsconfig.json tsconfig.build.json tsconfig.api.json ./
COPY src ./src
RUN sh scripts/assemble.sh build strip collect /app

FROM node:24-slim
LABEL org.opencontainers.image.title="bugferry" \
      org.opencontainers.image.description="Keeps a Bugzilla-style bug tracker and GitHub issues in step, both ways" \
      org.opencontainers.image.licenses="MPL-2.0" \
      org.opencontainers.image.version="0.1.0"
ENV NODE_ENV=production
# Nothing is installed at run time.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
 && install --directory --owner=node --group=node --mode=700 /state
COPY --from=build /app /app
VOLUME /state
USER node
# Paths in the configuration are relative to this folder, so the usual `state: state/bugferry.db` is on the volume.
WORKDIR /
# The program handles signals and starts no other process, so it needs no init. It ends within 20 seconds.
STOPSIGNAL SIGTERM
# Asks the HTTP server that `http: {}` in the configuration starts.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 \
  CMD ["node", "/app/dist/main.js", "health", "--config", "/config/bridge.yaml"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["run", "--config", "/config/bridge.yaml"]
