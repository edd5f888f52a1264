CREATE TABLE snowflake_counter (
    name         VARCHAR2(100 CHAR) NOT NULL,
    start_number NUMBER(19)         NOT NULL,
    increment_by NUMBER(10)         NOT NULL,
    last_number  NUMBER(19)         NOT NULL,
    token        VARCHAR2(36)       NOT NULL,
    PRIMARY KEY (name)
);
