-- MariaDB: new sequences after their own last numbers, not after max(id).
SELECT COALESCE(MAX(id), 0) + 100 INTO @first FROM purchase WHERE id < 1000000000000;
EXECUTE IMMEDIATE CONCAT('CREATE SEQUENCE purchase_seq INCREMENT BY 50 START WITH ', @first);
SELECT COALESCE(MAX(id), 0) + 100 INTO @first FROM purchase_line WHERE id < 1000000000000;
EXECUTE IMMEDIATE CONCAT('CREATE SEQUENCE purchase_line_seq INCREMENT BY 50 START WITH ', @first);
