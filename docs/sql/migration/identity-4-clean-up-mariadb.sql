-- MariaDB: rejects rows without an ID. No rewrite.
ALTER TABLE purchase MODIFY id BIGINT NOT NULL, ALGORITHM=INSTANT;
ALTER TABLE purchase_line MODIFY id BIGINT NOT NULL, ALGORITHM=INSTANT;
DROP TRIGGER IF EXISTS purchase_ids;
DROP TRIGGER IF EXISTS purchase_line_ids;
DROP SEQUENCE IF EXISTS purchase_ids;
DROP SEQUENCE IF EXISTS purchase_line_ids;
