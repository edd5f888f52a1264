-- PostgreSQL: rejects rows without an ID. No rewrite. For SERIAL columns, use DROP DEFAULT.
ALTER TABLE purchase ALTER COLUMN id DROP IDENTITY;
ALTER TABLE purchase_line ALTER COLUMN id DROP IDENTITY;
