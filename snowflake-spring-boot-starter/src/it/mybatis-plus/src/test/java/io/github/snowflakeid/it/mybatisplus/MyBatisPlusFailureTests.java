package io.github.snowflakeid.it.mybatisplus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.annotation.FieldStrategy;
import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableField;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.publicid.PublicId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mybatis.spring.mapper.MapperFactoryBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class MyBatisPlusFailureTests {

    private static final String CLASS = MyBatisPlusFailureTests.class.getName();

    @Test
    void namesAKeyThatTheDatabaseGenerates(CapturedOutput output) {
        assertFails(CountedMapper.class, output, """
                Attribute 'id' of %s$Counted has two sources of values: @SnowflakeId and, by IdType.AUTO, the database.

                Action:

                Let MyBatis-Plus insert it:

                @SnowflakeId
                @TableId(type = IdType.ASSIGN_ID)
                """);
    }

    @Test
    void namesAKeyThatTheDatabaseGeneratesByASetting(CapturedOutput output) {
        assertFails(
                PlainMapper.class,
                output,
                "Attribute 'id' of %s$Plain has two sources of values: @SnowflakeId and, by IdType.AUTO, the database.\n",
                "mybatis-plus.global-config.db-config.id-type=auto");
    }

    @Test
    void namesAnAttributeThatIsNoColumn(CapturedOutput output) {
        assertFails(NoColumnMapper.class, output, """
                Attribute 'number' of %s$NoColumn gets no Snowflake ID: MyBatis-Plus does not insert it.

                Action:

                Map it to a field that is not static, transient or excluded, and insert it always:

                @SnowflakeId("tickets")
                @TableField(insertStrategy = FieldStrategy.ALWAYS)

                or remove @SnowflakeId("tickets").
                """);
    }

    @Test
    void namesAnAttributeWhoseColumnIsLeftOut(CapturedOutput output) {
        assertFails(
                LeftOutMapper.class,
                output,
                "Attribute 'number' of %s$LeftOut gets no Snowflake ID: MyBatis-Plus does not insert it.\n");
    }

    @Test
    void namesTheMissingGenerator(CapturedOutput output) {
        assertFails(
                UnknownMapper.class,
                output,
                "Attribute 'id' of %s$Unknown refers to generator 'ticket', which does not exist; existing generators:"
                        + " 'default', 'tickets'.\n");
    }

    @Test
    void namesAnEntityThatIsAnnotatedAsAnId(CapturedOutput output) {
        assertFails(
                MarkedMapper.class,
                output,
                "%s$Marked cannot be an ID, as @SnowflakeId, @PublicId or @IdAsString on the class declares: it is an entity, or has several attributes.\n");
    }

    @Test
    void doesNotCutOffAnIdThatDoesNotFit() {
        try (ConfigurableApplicationContext context = start(NarrowMapper.class)) {
            NarrowMapper mapper = context.getBean(NarrowMapper.class);
            Narrow set = new Narrow();
            set.id = 42;

            mapper.insert(set);

            assertThatThrownBy(() -> mapper.insert(new Narrow()))
                    .hasRootCauseMessage(
                            "Attribute 'id' of %s$Narrow must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.lang.Integer"
                                    .formatted(CLASS))
                    .hasStackTraceContaining("Change the type of the attribute:\n\n@TableId\nprivate Long id;");
        }
    }

    private static void assertFails(Class<?> mapper, CapturedOutput output, String description, String... properties) {
        assertThatThrownBy(() -> start(mapper, properties)).isNotNull();

        assertThat(output)
                .contains("Description:\n\n" + description.formatted(CLASS))
                .doesNotContain("\tat ");
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static ConfigurableApplicationContext start(Class<?> mapper, String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .properties("spring.datasource.generate-unique-name=true")
                .properties(properties)
                .initializers((GenericApplicationContext context) -> context.registerBean(
                        MapperFactoryBean.class,
                        () -> new MapperFactoryBean(mapper),
                        definition -> ((AbstractBeanDefinition) definition)
                                .setAutowireMode(AbstractBeanDefinition.AUTOWIRE_BY_TYPE)))
                .run();
    }

    @EnableAutoConfiguration
    static class Application {}

    static class Counted {

        @SnowflakeId
        @TableId(type = IdType.AUTO)
        private Long id;

        private String text;
    }

    interface CountedMapper extends BaseMapper<Counted> {}

    static class Plain {

        @SnowflakeId
        private Long id;

        private String text;
    }

    interface PlainMapper extends BaseMapper<Plain> {}

    static class NoColumn {

        private Long id;

        @SnowflakeId("tickets")
        @TableField(exist = false)
        private Long number;
    }

    interface NoColumnMapper extends BaseMapper<NoColumn> {}

    static class LeftOut {

        private Long id;

        @SnowflakeId
        @TableField(insertStrategy = FieldStrategy.NEVER)
        private Long number;
    }

    interface LeftOutMapper extends BaseMapper<LeftOut> {}

    static class Unknown {

        @SnowflakeId("ticket")
        private Long id;
    }

    interface UnknownMapper extends BaseMapper<Unknown> {}

    @PublicId("purchase")
    @TableName("purchase")
    static class Marked {

        private Long id;

        Marked() {}

        Marked(Long id) {
            this.id = id;
        }
    }

    interface MarkedMapper extends BaseMapper<Marked> {}

    @TableName("purchase")
    static class Narrow {

        private Integer id;
        private String customer;
    }

    interface NarrowMapper extends BaseMapper<Narrow> {}
}
