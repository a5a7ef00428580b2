# The first stage builds; the second contains the program and nothing else. The steps are in scripts/assemble.sh.
#
# The base: a release names it by its digest, so both architectures of a release stand on the same one. To do the same, or to renew it:
#   docker buildx imagetools inspect node:24-slim --format '{{.Manifest.Digest}}'
#   docker build --build-arg BASE=node:24-slim@sha256:... -t bugferry .
ARG BASE=node:24-slim
FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json LICENSE ./
COPY scripts ./scripts
RUN sh scripts/assemble.sh install
COPY tsconfig.json tsconfig.build.json tsconfig.api.json ./
COPY src ./src
COPY config/bridge.example.yaml ./config/
RUN sh scripts/assemble.sh build strip collect /app
# For the user of the second stage.
RUN sh scripts/assemble.sh compile /app 1000

FROM ${BASE}
# One heap for all threads: each takes a megabyte otherwise, and none computes much.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
# Nothing is installed at run time.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
 && install --directory --owner=node --group=node --mode=700 /state
COPY --from=build /app /app
VOLUME /state
# By number, so that Kubernetes sees that it is not root: this is the user node.
USER 1000:1000
# Paths in the configuration are relative to this folder, so the usual `state: state/bugferry.db` is on the volume.
WORKDIR /
# The program handles signals and starts no other process, so it needs no init. It ends within 20 seconds.
STOPSIGNAL SIGTERM
# Asks the HTTP server that `http: {}` in the configuration starts.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 \
  CMD ["node", "/app/dist/main.js", "health", "--config", "/config/bridge.yaml"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["run", "--config", "/config/bridge.yaml"]
# Last, as they differ for each release, which sets them.
ARG BASE
ARG VERSION=unreleased
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="bugferry" \
      org.opencontainers.image.description="Keeps a Bugzilla-style bug tracker and GitHub issues in step, both ways" \
      org.opencontainers.image.licenses="MPL-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.base.name="${BASE}"
