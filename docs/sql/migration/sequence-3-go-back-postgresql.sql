-- PostgreSQL: new sequences after their own last numbers, not after max(id).
CREATE SEQUENCE purchase_seq INCREMENT BY 50;
SELECT setval('purchase_seq', (SELECT COALESCE(max(id), 0) + 50 FROM purchase WHERE id < 1000000000000));
CREATE SEQUENCE purchase_line_seq INCREMENT BY 50;
SELECT setval('purchase_line_seq', (SELECT COALESCE(max(id), 0) + 50 FROM purchase_line WHERE id < 1000000000000));
