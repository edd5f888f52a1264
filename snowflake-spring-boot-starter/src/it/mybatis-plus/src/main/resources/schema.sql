-- No key is unique here, so that a test can find ids that were made twice.
CREATE TABLE IF NOT EXISTS purchase (
    id       BIGINT NOT NULL,
    customer VARCHAR(100)
);

CREATE TABLE IF NOT EXISTS ticket (
    number VARCHAR(20) NOT NULL,
    serial BIGINT      NOT NULL
);

CREATE TABLE IF NOT EXISTS receipt (
    id   VARCHAR(32) NOT NULL,
    text VARCHAR(100)
);

CREATE TABLE IF NOT EXISTS typed_order (
    id       BIGINT NOT NULL,
    customer VARCHAR(100)
);
