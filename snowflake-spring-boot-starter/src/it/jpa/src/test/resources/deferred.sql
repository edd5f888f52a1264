insert into long_id (id, text) values (1, 'from a script');
