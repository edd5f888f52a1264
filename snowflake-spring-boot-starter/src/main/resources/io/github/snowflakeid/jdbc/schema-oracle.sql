CREATE TABLE snowflake_worker (
    namespace      VARCHAR2(100 CHAR) NOT NULL,
    datacenter_id  NUMBER(10)         NOT NULL,
    worker_id      NUMBER(10)         NOT NULL,
    owner          VARCHAR2(36),
    owner_info     VARCHAR2(255 CHAR),
    reserved_until NUMBER(19)         NOT NULL,
    expires_at     NUMBER(19)         NOT NULL,
    layout         VARCHAR2(100)      NOT NULL,
    PRIMARY KEY (namespace, datacenter_id, worker_id)
);
