-- PostgreSQL and MariaDB: drops the sequences when no instance of the old version is left.
DROP SEQUENCE purchase_seq;
DROP SEQUENCE purchase_line_seq;
