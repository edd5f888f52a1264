package io.github.snowflakeid.it.jooq;

import io.github.snowflakeid.IdGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
public class JdbcPurchases {

    private final JdbcClient client;
    private final JdbcTemplate template;
    private final IdGenerator ids;

    JdbcPurchases(JdbcTemplate template, IdGenerator ids) {
        this.client = JdbcClient.create(template);
        this.template = template;
        this.ids = ids;
    }

    public long insert(String customer) {
        long id = ids.nextId();
        client.sql("insert into purchase (id, customer) values (:id, :customer)")
                .param("id", id)
                .param("customer", customer)
                .update();
        return id;
    }

    public List<Long> insertAll(List<String> customers) {
        long[] newIds = ids.nextIds(customers.size());
        List<Object[]> rows = new ArrayList<>();
        for (int i = 0; i < newIds.length; i++) {
            rows.add(new Object[] {newIds[i], customers.get(i)});
        }
        template.batchUpdate("insert into purchase (id, customer) values (?, ?)", rows);
        return LongStream.of(newIds).boxed().toList();
    }

    public List<Long> findAll() {
        return client.sql("select id from purchase order by id")
                .query(Long.class)
                .list();
    }
}
