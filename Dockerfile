# syntax=docker/dockerfile:1

# The image of the service: what `npm pack` packs, with its dependencies. It runs the Node that package-lock.json pins
# and the tests use, with its SQLite; the first stage is used only for its npm. The second stage has a shell for
# operators, no npm and no compiler.

# Where the two base images come from: a mirror, say.
ARG IMAGES=docker.io/library

FROM ${IMAGES}/node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/node/package.json ./tools/node/
COPY packages ./packages
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY tools ./tools
COPY docs/openapi.json ./docs/
COPY bin ./bin
COPY src ./src
RUN npm run build \
 && cp --dereference node_modules/.bin/node /opt/node \
 && npm sbom --omit=dev --sbom-format=cyclonedx >sbom.cdx.json \
 && npm prune --omit=dev --no-audit --no-fund \
 && rm -r node_modules/node-linux-* node_modules/pinned-node node_modules/generic-resource-service-* node_modules/.bin/node

FROM ${IMAGES}/debian:13-slim
# Libraries that the pinned Node is linked against and the base image lacks.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 libstdc++6 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/node /usr/local/bin/node
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
# The bill of materials lists the packages of npm; those of Debian are in /var/lib/dpkg.
COPY --from=build /app/package.json /app/sbom.cdx.json ./
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
# MALLOC_…: memory that threads have freed goes back to the system (docs/operating.md).
ENV HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=131072
# Numeric, so that an orchestrator can see that it is not root. The user owns the data and the compile cache only.
RUN install -d -o 10001 -g 10001 -m 700 /data node_modules/.cache
USER 10001:10001
# One start fills the compile cache, as the user that will read it: the root file system may be read-only later. With a secret
# of its own, because one that the service made would be shown in the log of the build.
RUN ADMIN_CLIENT_ID=warm-up ADMIN_CLIENT_SECRET="$(cat /proc/sys/kernel/random/uuid)" \
    DATA_DIR=/tmp/warm PORT=0 HOST=127.0.0.1 LOG_LEVEL=warn timeout --preserve-status -s TERM 10 \
    node bin/grs.js serve \
 && rm -rf /tmp/warm \
 && test -n "$(ls node_modules/.cache/grs)"
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# With Node, because there is no curl here. An unhealthy container should get no requests.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Takes the commands of the service: docker run … check, export, client and so on.
ENTRYPOINT ["node", "bin/grs.js"]
CMD ["serve"]
