package io.github.snowflakeid.it.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Options;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.SelectKey;
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
class MyBatisFailureTests {

    private static final String CLASS = MyBatisFailureTests.class.getName();

    @Test
    void namesTheAttributeThatCannotHoldAnId(CapturedOutput output) {
        assertFails(WrongTypes.class, output, """
                Attribute 'id' of %s$WrongType must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.lang.Integer.

                Action:

                Change the type of the attribute:

                @SnowflakeId
                private Long id;
                """);
    }

    @Test
    void namesTheMissingGenerator(CapturedOutput output) {
        assertFails(WrongNames.class, output, """
                Attribute 'id' of %s$WrongName refers to generator 'ticket', which does not exist; existing generators: 'default', 'tickets'.

                Action:

                Use one of these names, or define the generator:

                snowflake.generators.ticket.layout: default
                """);
    }

    @Test
    void recordKeepsAnIdThatIsSetAndIsRejectedWithoutOne() {
        try (ConfigurableApplicationContext context = start(Records.class)) {
            Records mapper = context.getBean(Records.class);

            mapper.insert(new Sale(4711L, "Ada"));
            assertThat(mapper.find()).containsExactly(4711L);

            assertThatThrownBy(() -> mapper.insert(new Sale(4712L, "Ada"), new Sale(null, "Grace")))
                    .hasRootCauseInstanceOf(ConfigurationException.class)
                    .hasRootCauseMessage(
                            "Attribute 'id' of %s$Sale cannot get a Snowflake ID before it is inserted: a record cannot be changed"
                                    .formatted(CLASS))
                    .hasStackTraceContaining("""
                            Set the ID when you create the object:

                            new Sale(idGenerator.nextId(), ...)

                            or declare the attribute in a class, with a field that is not final.""");
            assertThat(mapper.find()).containsExactly(4711L);
        }
    }

    @Test
    void objectWithAFinalIdKeepsItAndIsRejectedWithoutOne() {
        try (ConfigurableApplicationContext context = start(Finals.class)) {
            Finals mapper = context.getBean(Finals.class);

            mapper.insert(new Final(4711L));
            assertThat(mapper.find()).containsExactly(4711L);

            assertThatThrownBy(() -> mapper.insert(new Final(null)))
                    .hasRootCauseMessage(
                            "Attribute 'id' of %s$Final cannot get a Snowflake ID before it is inserted: it is final"
                                    .formatted(CLASS));
        }
    }

    @Test
    void revertsTheIdsOfARejectedInsert() {
        try (ConfigurableApplicationContext context = start(Mixed.class)) {
            MyBatisPurchase purchase = new MyBatisPurchase("Ada");
            List<Object> rows = List.of(purchase, new Final(null));

            assertThatThrownBy(() -> context.getBean(Mixed.class).insert(rows))
                    .hasRootCauseInstanceOf(ConfigurationException.class);

            assertThat(purchase.getId()).isNull();
        }
    }

    @Test
    void objectWithoutFieldAndSetterKeepsItsIdAndIsRejectedWithoutOne() {
        try (ConfigurableApplicationContext context = start(Unsettables.class)) {
            Unsettables mapper = context.getBean(Unsettables.class);

            mapper.insert(new Unsettable(4711L));
            assertThat(mapper.find()).containsExactly(4711L);

            assertThatThrownBy(() -> mapper.insert(new Unsettable(null)))
                    .hasRootCauseMessage(
                            "Attribute 'id' of %s$Unsettable cannot get a Snowflake ID before it is inserted: it has neither a field of that name nor a setter"
                                    .formatted(CLASS));
        }
    }

    @Test
    void reportsThatAnAttributeOfAnInterfaceCannotBeSet(CapturedOutput output) {
        assertFails(
                Interfaces.class,
                output,
                "Attribute 'id' of %s$HasId cannot get a Snowflake ID before it is inserted: it is annotated in an interface.\n");
    }

    @Test
    void reportsThatAStaticFieldIsNoAttribute(CapturedOutput output) {
        assertFails(
                Statics.class,
                output,
                "Attribute 'id' of %s$Static cannot get a Snowflake ID before it is inserted: it is static.\n");
    }

    @Test
    void namesTheStatementWhoseKeysTheDatabaseGenerates(CapturedOutput output) {
        assertFails(GeneratedKeys.class, output, """
                Attribute 'id' of io.github.snowflakeid.it.mybatis.MyBatisPurchase gets Snowflake IDs, but statement %s$GeneratedKeys.insert sets it to a key that the database generates.

                Action:

                Keep one of the two: let the statement insert #{id}, without useGeneratedKeys, keyProperty and selectKey, or remove @SnowflakeId.
                """);
    }

    @Test
    void namesTheStatementWithASelectKey(CapturedOutput output) {
        assertFails(
                SelectedKeys.class,
                output,
                "Attribute 'id' of io.github.snowflakeid.it.mybatis.MyBatisPurchase gets Snowflake IDs, but statement"
                        + " %s$SelectedKeys.insert sets it to a key that the database generates.\n");
    }

    @Test
    void acceptsAKeyOfAnotherParameter() {
        try (ConfigurableApplicationContext context = start(KeysOfOthers.class)) {
            MyBatisPurchase purchase = new MyBatisPurchase("Ada");
            Counted counted = new Counted();

            context.getBean(KeysOfOthers.class).insert(counted, purchase);

            assertThat(counted.id).isEqualTo(1);
            assertThat(purchase.getId()).isGreaterThan(1);
        }
    }

    @Test
    void reportsErrorsThatOnlyTheFirstUseShows() {
        try (ConfigurableApplicationContext context = start(Untyped.class)) {
            Untyped mapper = context.getBean(Untyped.class);

            assertThatThrownBy(() -> mapper.insert(new WrongType()))
                    .hasRootCauseInstanceOf(ConfigurationException.class)
                    .hasRootCauseMessage(
                            "Attribute 'id' of %s$WrongType must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.lang.Integer"
                                    .formatted(CLASS))
                    .hasStackTraceContaining("Change the type of the attribute:\n\n@SnowflakeId\nprivate Long id;");
        }
    }

    @Test
    void rejectsAKeyOfTheDatabaseAtTheFirstInsertIfTheMapperDeclaresAnotherType() {
        try (ConfigurableApplicationContext context = start(Untyped.class)) {
            Untyped mapper = context.getBean(Untyped.class);
            MyBatisPurchase purchase = new MyBatisPurchase("Ada");
            String problem = "sets it to a key that the database generates";

            assertThatThrownBy(() -> mapper.insertWithSelectedKey(purchase)).hasStackTraceContaining(problem);
            assertThatThrownBy(() -> mapper.insertAll(List.of(purchase))).hasStackTraceContaining(problem);
            assertThatThrownBy(() -> mapper.insertCommand(new Command(purchase)))
                    .hasStackTraceContaining(problem);
            assertThat(purchase.getId()).isNull();
        }
    }

    @Test
    void acceptsAKeyOfAnotherParameterWhoseTypeIsNotDeclared() {
        try (ConfigurableApplicationContext context = start(Untyped.class)) {
            MyBatisPurchase purchase = new MyBatisPurchase("Ada");
            Counted counted = new Counted();

            context.getBean(Untyped.class).insertCounted(counted, purchase);

            assertThat(counted.id).isEqualTo(1);
            assertThat(purchase.getId()).isGreaterThan(1);
        }
    }

    private static void assertFails(Class<?> mapper, CapturedOutput output, String description) {
        assertThatThrownBy(() -> start(mapper)).isNotNull();

        assertThat(output)
                .contains("Description:\n\n" + description.formatted(CLASS))
                .doesNotContain("\tat ");
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static ConfigurableApplicationContext start(Class<?> mapper) {
        return new SpringApplicationBuilder(Application.class)
                .properties("spring.datasource.generate-unique-name=true")
                .initializers((GenericApplicationContext context) -> context.registerBean(
                        MapperFactoryBean.class,
                        () -> new MapperFactoryBean(mapper),
                        definition -> ((AbstractBeanDefinition) definition)
                                .setAutowireMode(AbstractBeanDefinition.AUTOWIRE_BY_TYPE)))
                .run();
    }

    @EnableAutoConfiguration
    static class Application {}

    static class WrongType {

        @SnowflakeId
        private Integer id;
    }

    interface WrongTypes {

        @Insert("insert into purchase (id) values (#{id})")
        void insert(WrongType row);
    }

    static class WrongName {

        @SnowflakeId("ticket")
        private Long id;
    }

    interface WrongNames {

        @Insert("insert into purchase (id) values (#{rows[0].id})")
        void insert(@Param("rows") List<? extends WrongName> rows);
    }

    record Sale(@SnowflakeId Long id, String customer) {}

    interface Records {

        @Insert("""
                <script>
                insert into purchase (id) values
                <foreach collection="array" item="it" separator=",">(#{it.id})</foreach>
                </script>""")
        void insert(Sale... rows);

        @Select("select id from purchase")
        List<Long> find();
    }

    static class Final {

        @SnowflakeId
        private final Long id;

        Final(Long id) {
            this.id = id;
        }
    }

    /** A base interface of all mappers, as applications have it. */
    interface Inserts<T> {

        @Insert("insert into purchase (id) values (#{id})")
        void insert(T row);

        @Select("select id from purchase")
        List<Long> find();
    }

    interface Finals extends Inserts<Final> {}

    interface Mixed {

        @Insert("insert into purchase (id) values (#{list[0].id}), (#{list[1].id})")
        void insert(List<Object> rows);
    }

    static class Unsettable {

        private final Long number;

        Unsettable(Long number) {
            this.number = number;
        }

        @SnowflakeId
        public Long getId() {
            return number;
        }
    }

    interface Unsettables extends Inserts<Unsettable> {}

    interface HasId {

        @SnowflakeId
        Long getId();
    }

    interface Interfaces extends Inserts<HasId> {}

    static class Static {

        @SnowflakeId
        private static Long id;
    }

    interface Statics extends Inserts<Static> {}

    interface GeneratedKeys {

        @Insert("insert into purchase (id, customer) values (#{id}, #{customer})")
        @Options(useGeneratedKeys = true, keyProperty = "id")
        void insert(MyBatisPurchase purchase);
    }

    interface SelectedKeys {

        @Insert("insert into purchase (id, customer) values (#{id}, #{customer})")
        @SelectKey(statement = "select 1", keyProperty = "it.id", before = true, resultType = Long.class)
        void insert(@Param("it") MyBatisPurchase purchase);
    }

    static class Counted {

        private Long id;
    }

    interface KeysOfOthers {

        @Insert("insert into purchase (id, customer) values (#{purchase.id}, #{purchase.customer})")
        @SelectKey(statement = "select 1", keyProperty = "counted.id", before = true, resultType = Long.class)
        void insert(@Param("counted") Counted counted, @Param("purchase") MyBatisPurchase purchase);
    }

    interface Untyped {

        @Insert("insert into purchase (id) values (#{id})")
        void insert(Object row);

        @Insert("insert into purchase (id, customer) values (#{id}, #{customer})")
        @SelectKey(statement = "select 1", keyProperty = "id", before = true, resultType = Long.class)
        void insertWithSelectedKey(Object row);

        @Insert(
                "<script>insert into purchase (customer) values <foreach collection='rows' item='row' separator=','>(#{row.customer})</foreach></script>")
        @Options(useGeneratedKeys = true, keyProperty = "rows.id")
        void insertAll(@Param("rows") List<?> rows);

        @Insert("insert into purchase (id, customer) values (#{row.id}, #{row.customer})")
        @Options(useGeneratedKeys = true, keyProperty = "row.id")
        void insertCommand(Object command);

        @Insert("insert into purchase (id, customer) values (#{purchase.id}, #{purchase.customer})")
        @SelectKey(statement = "select 1", keyProperty = "counted.id", before = true, resultType = Long.class)
        void insertCounted(@Param("counted") Object counted, @Param("purchase") Object purchase);
    }

    record Command(MyBatisPurchase row) {}
}
