# augkit without extras; without arguments it runs the README's first command.
#
#   docker build -t augkit .
#   docker run --rm -v "$PWD:/work" augkit
#   docker run --rm -v "$PWD:/work" augkit run -m swap -d reviews.csv

FROM python:3.13-slim AS build
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels /source

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels \
    && useradd --create-home augkit && mkdir /work && chown augkit /work
USER augkit
WORKDIR /work
ENTRYPOINT ["augkit"]
CMD ["run", "reviews-demo", "--method", "coba"]
