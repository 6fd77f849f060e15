# syntax=docker/dockerfile:1
# Lightwell on Node 26, without development tools, as an unprivileged user. The server stores all data in /data.

FROM node:26-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY scripts/build-web.js scripts/
# The npm package `node` is a development dependency. The image has a Node of its own.
RUN npm ci --omit=dev --no-audit --no-fund

# Builds the pages of the gallery. The build tools do not reach the final image.
FROM node:26-bookworm-slim AS pages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts/build-web.js scripts/
COPY server server
COPY web web
RUN node scripts/build-web.js

FROM node:26-bookworm-slim
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Lightwell" \
      org.opencontainers.image.description="An image gallery service with a JSON REST API and a web gallery" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production \
    DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json openapi.json LICENSE THIRD_PARTY_NOTICES.md ./
COPY licenses licenses
COPY bin bin
COPY server server
COPY --from=pages /app/dist dist
# A volume that is created from this folder belongs to the server's user. No other user can read it.
RUN install -d -m 700 -o node -g node /data && ln -s /app/bin/lightwell.js /usr/local/bin/lightwell

# A number, because Kubernetes cannot tell whether a named user is root (runAsNonRoot).
USER 1000:1000
VOLUME /data
EXPOSE 3000
# Checks /health/live, not /health/ready: a database or store that is down is no reason to restart this container.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "server/health-check.ts"]
# The server finishes running requests for up to 25 seconds. Give it more time to stop (docker stop -t 35).
STOPSIGNAL SIGTERM
CMD ["node", "server/main.js"]
