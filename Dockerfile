# Builds the pages with everything that takes, and leaves it behind.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY vite.config.ts vite.chart-tables.ts vite.chunks.ts vite.element-traits.ts vite.first-picture.ts vite.three.ts ./
COPY engine engine
COPY src src
RUN npm run build

# What the server runs on.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
WORKDIR /app
# Memory that threads gave back is kept in pieces for each of them; two pieces keep little.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data SHUTDOWN_DELAY=5 MALLOC_ARENA_MAX=2
# `--build-arg WITH_CHROMIUM=1` brings what draws posters. Its sandbox needs user namespaces: src/server/README.md, "Posters".
ARG WITH_CHROMIUM=0
RUN if [ "$WITH_CHROMIUM" = 1 ]; then \
  apt-get update && \
  apt-get install -y --no-install-recommends chromium fonts-liberation && \
  rm -rf /var/lib/apt/lists/*; \
  fi
RUN mkdir /data && chown node:node /data
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY engine engine
COPY src src
COPY cli cli
COPY fixtures fixtures
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node_modules/node/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The Node of the project itself, without npm before it: what Docker says reaches the server.
CMD ["node_modules/node/bin/node", "src/server/main.ts", "--no-build"]
