# Builds the pages; their packages stay behind.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY vite.config.ts vite.chart-tables.ts vite.chunks.ts vite.element-traits.ts vite.first-picture.ts vite.retried-imports.ts vite.sdk-package.ts vite.source-texts.ts vite.three.ts vite.translated-texts.ts tsconfig.json LICENSE ./
COPY fixtures/embed/package fixtures/embed/package
COPY engine engine
COPY src src
RUN npm run build

# Packages that the server needs at run time.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

# Node comes with the packages.
FROM debian:bookworm-slim
RUN useradd --uid 1000 --create-home node
WORKDIR /app
# Fewer malloc arenas retain less freed memory.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data SHUTDOWN_DELAY=5 MALLOC_ARENA_MAX=2
# `--build-arg WITH_CHROMIUM=1` adds Chromium, which renders posters. Its sandbox needs user namespaces: src/server/README.md, "Posters".
ARG WITH_CHROMIUM=0
RUN if [ "$WITH_CHROMIUM" = 1 ]; then \
  apt-get update && \
  apt-get install -y --no-install-recommends chromium fonts-liberation && \
  rm -rf /var/lib/apt/lists/*; \
  fi
# `--build-arg WITH_FFMPEG=1` adds ffmpeg, which draws the posters of videos, lets them play before they have loaded, and measures loudness.
ARG WITH_FFMPEG=0
RUN if [ "$WITH_FFMPEG" = 1 ]; then \
  apt-get update && \
  apt-get install -y --no-install-recommends ffmpeg && \
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
# Node without npm before it, so that the server receives Docker's signals.
CMD ["node_modules/node/bin/node", "src/server/main.ts", "--no-build"]
