package io.github.snowflakeid.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.ReflectionTestUtils;

/** The code of docs/mybatis.md. */
@SpringBootTest(
        classes = MyBatisPageTests.Shop.class,
        properties = "spring.datasource.url=jdbc:h2:mem:page;DB_CLOSE_DELAY=-1")
class MyBatisPageTests {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    record Sale(@SnowflakeId Long id, String customer) {}

    @Mapper
    interface Sales {

        @Insert("insert into purchase (id, customer) values (#{id}, #{customer})")
        void insert(Sale sale);
    }

    @Autowired
    private PurchaseMapper purchases;

    @Autowired
    private Sales sales;

    @Autowired
    private IdGenerator idGenerator;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void objectHasItsIdAfterTheInsert() {
        Purchase purchase = new Purchase();
        purchases.insert(purchase);

        Object id = ReflectionTestUtils.getField(purchase, "id");
        assertThat(jdbc.queryForList("select id from purchase", Object.class))
                .containsOnlyOnce(id)
                .doesNotContainNull();
    }

    @Test
    void recordIsInsertedWithTheIdThatItHas() {
        sales.insert(new Sale(idGenerator.nextId(), "Ada"));

        assertThat(jdbc.queryForObject("select count(*) from purchase where customer = 'Ada'", Integer.class))
                .isEqualTo(1);
    }
}
