package io.github.snowflakeid.it.shardingsphere;

import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Component;

/** Inserts rows without an ID, which ShardingSphere generates. */
@Component
public class ShardedOrders {

    private final JdbcTemplate jdbc;

    ShardedOrders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public long add(String table, String name) {
        GeneratedKeyHolder key = new GeneratedKeyHolder();
        jdbc.update(
                connection -> {
                    PreparedStatement insert = connection.prepareStatement(
                            "INSERT INTO " + table + " (name) VALUES (?)", Statement.RETURN_GENERATED_KEYS);
                    insert.setString(1, name);
                    return insert;
                },
                key);
        return key.getKeyAs(Long.class);
    }

    public void addFive(String name) {
        jdbc.update("INSERT INTO orders (name) VALUES (?), (?), (?), (?), (?)", name, name, name, name, name);
    }

    public List<Long> ids(String table) {
        return jdbc.queryForList("SELECT id FROM " + table, Long.class);
    }
}
