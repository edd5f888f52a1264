-- No key is unique here, so that a test can find ids that were made twice.
CREATE TABLE IF NOT EXISTS purchase (
    id       BIGINT NOT NULL,
    customer VARCHAR(100)
);

CREATE TABLE IF NOT EXISTS ticket (
    id     BIGINT      NOT NULL,
    number VARCHAR(20) NOT NULL,
    serial BIGINT      NOT NULL,
    code   DECIMAL(20) NOT NULL
);
