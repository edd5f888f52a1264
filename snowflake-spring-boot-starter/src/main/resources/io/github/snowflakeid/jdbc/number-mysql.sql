CREATE TABLE IF NOT EXISTS snowflake_number (
    series        VARCHAR(50)  NOT NULL,
    tenant        VARCHAR(100) NOT NULL,
    time_period   VARCHAR(10)  NOT NULL,
    number_format VARCHAR(100) NOT NULL,
    last_number   BIGINT       NOT NULL,
    PRIMARY KEY (series, tenant, time_period)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
