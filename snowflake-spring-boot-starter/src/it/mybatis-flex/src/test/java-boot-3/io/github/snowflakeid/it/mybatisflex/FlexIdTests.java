package io.github.snowflakeid.it.mybatisflex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.mybatisflex.core.keygen.KeyGeneratorFactory;
import com.mybatisflex.core.keygen.KeyGenerators;
import com.mybatisflex.core.keygen.impl.SnowFlakeIDKeyGenerator;
import com.mybatisflex.core.row.Db;
import com.mybatisflex.core.row.Row;
import com.mybatisflex.core.row.RowKey;
import com.mybatisflex.spring.boot.MyBatisFlexCustomizer;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** The customizer of docs/mybatis.md, which needs the starter of MyBatis-Flex. */
@SpringBootTest(
        classes = {FlexShop.class, FlexIdTests.Customized.class},
        properties = "snowflake.worker.id=9")
class FlexIdTests {

    static class Customized {

        @Bean
        MyBatisFlexCustomizer flexIds() {
            return config -> KeyGeneratorFactory.register(
                    KeyGenerators.flexId, KeyGeneratorFactory.getKeyGenerator("snowflake"));
        }
    }

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void flexIdIsReplaced() {
        Db.insert("orders", Row.ofKey(RowKey.FLEX_ID).set("customer", "flexId"));

        assertThat(IdLayout.DEFAULT
                        .decode(jdbc.queryForObject("select id from orders where customer = 'flexId'", Long.class))
                        .workerId())
                .isEqualTo(9);
    }

    /** The layout of docs/mybatis.md. */
    @Test
    void snowFlakeIdHasTheDefaultLayoutAndAnEarlierEpoch() {
        IdFields fields = IdLayout.builder()
                .epoch(Instant.parse("2023-04-02T05:01:00Z"))
                .build()
                .decode(new SnowFlakeIDKeyGenerator(3, 5).nextId());

        assertThat(fields.workerId()).isEqualTo(3);
        assertThat(fields.datacenterId()).isEqualTo(5);
        assertThat(fields.sequence()).isZero();
        assertThat(fields.timestamp()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    }
}
