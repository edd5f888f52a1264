CREATE TABLE snowflake_worker (
    namespace      VARCHAR(100) NOT NULL,
    datacenter_id  INTEGER      NOT NULL,
    worker_id      INTEGER      NOT NULL,
    owner          VARCHAR(36),
    owner_info     VARCHAR(255),
    reserved_until BIGINT       NOT NULL,
    expires_at     BIGINT       NOT NULL,
    layout         VARCHAR(100) NOT NULL,
    PRIMARY KEY (namespace, datacenter_id, worker_id)
);
