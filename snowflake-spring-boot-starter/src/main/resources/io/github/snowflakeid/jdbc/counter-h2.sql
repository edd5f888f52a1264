CREATE TABLE IF NOT EXISTS snowflake_counter (
    name         VARCHAR(100) NOT NULL,
    start_number BIGINT       NOT NULL,
    increment_by INTEGER      NOT NULL,
    last_number  BIGINT       NOT NULL,
    token        VARCHAR(36)  NOT NULL,
    PRIMARY KEY (name)
);
