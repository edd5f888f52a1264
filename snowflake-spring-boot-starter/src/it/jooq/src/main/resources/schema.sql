-- No key is unique here, so that a test can find ids that were made twice.
CREATE TABLE IF NOT EXISTS purchase (
    id       BIGINT NOT NULL,
    customer VARCHAR(100)
);
