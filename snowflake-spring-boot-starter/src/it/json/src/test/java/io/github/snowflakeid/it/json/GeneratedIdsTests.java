package io.github.snowflakeid.it.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.jackson2.SnowflakeJackson2AutoConfiguration;
import jakarta.persistence.GeneratedValue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** All attributes that get IDs from this library are strings with {@code snowflake.json.ids-as-strings}. */
class GeneratedIdsTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SnowflakeJackson2AutoConfiguration.class));

    record OrderId(long value) {}

    static class Rows {

        @SnowflakeId
        public long snowflake = 1;

        @GeneratedValue(generator = "snowflake")
        public long jpa = 2;

        @GeneratedValue(generator = "snowflake")
        public OrderId typed = new OrderId(3);

        @TableId(type = IdType.ASSIGN_ID)
        public Long assigned = 4L;

        @TableId
        private Long byDefault = 5L;

        public Long getByDefault() {
            return byDefault;
        }

        @TableId(type = IdType.AUTO)
        public long counted = 6;

        @GeneratedValue
        public long sequence = 7;

        @JsonFormat(shape = JsonFormat.Shape.NUMBER)
        @TableId(type = IdType.ASSIGN_ID)
        public long number = 8;

        public long foreign = 9;
    }

    @Test
    void idIsAStringHoweverItWasDeclared() {
        runner.withPropertyValues("snowflake.json.ids-as-strings=true")
                .run(context -> assertThat(write(context.getBean(Module.class)))
                        .isEqualTo(
                                "{'assigned':'4','byDefault':'5','counted':6,'foreign':9,'jpa':'2','number':8,'sequence':7,'snowflake':'1','typed':'3'}"
                                        .replace('\'', '"')));
    }

    @Test
    void idIsANumberByDefault() {
        runner.run(context -> assertThat(write(context.getBean(Module.class)))
                .isEqualTo(
                        "{'assigned':4,'byDefault':5,'counted':6,'foreign':9,'jpa':2,'number':8,'sequence':7,'snowflake':1,'typed':3}"
                                .replace('\'', '"')));
    }

    private static String write(Module module) throws Exception {
        return JsonMapper.builder()
                .configure(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, true)
                .addModule(module)
                .build()
                .writeValueAsString(new Rows());
    }
}
