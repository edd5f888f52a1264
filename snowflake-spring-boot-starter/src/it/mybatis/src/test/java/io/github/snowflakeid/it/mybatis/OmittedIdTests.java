package io.github.snowflakeid.it.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.InsertProvider;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.SelectKey;
import org.apache.ibatis.jdbc.SQL;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.type.JdbcType;
import org.apache.ibatis.type.ObjectTypeHandler;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

/** Inserts into a table whose IDs the database generates if a statement omits them. */
@SpringBootTest
@Transactional
class OmittedIdTests {

    @Autowired
    private Receipts receipts;

    @Autowired
    private SqlSessionFactory factory;

    @Test
    void rejectsAnInsertThatOmitsTheId() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        assertRejected(
                () -> receipts.insertWithoutId(purchase),
                "Attribute 'id' of io.github.snowflakeid.it.mybatis.MyBatisPurchase gets Snowflake IDs, but statement io.github.snowflakeid.it.mybatis.OmittedIdTests$Receipts.insertWithoutId does not insert it: the row would have another value than the object",
                """
                Insert it (for a named parameter or an element of <foreach>, with its name: #{name.id}):

                insert into ... (id, ...) values (#{id}, ...)

                or, if the database generates it, remove @SnowflakeId from the attribute.""");

        assertThat(purchase.getId()).isNull();
        assertThat(receipts.find()).isEmpty();
    }

    @Test
    void rejectsANamedParameterWhoseIdIsOmitted() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        assertRejected(() -> receipts.insertNamedWithoutId(purchase, "Grace"), "insertNamedWithoutId", "#{name.id}");

        assertThat(purchase.getId()).isNull();
    }

    @Test
    void rejectsACollectionWhoseIdsAreOmitted() {
        List<MyBatisPurchase> purchases = List.of(new MyBatisPurchase("Ada"), new MyBatisPurchase("Grace"));

        assertRejected(() -> receipts.insertAllWithoutIds(purchases), "insertAllWithoutIds", "#{name.id}");

        assertThat(purchases).extracting(MyBatisPurchase::getId).containsOnlyNulls();
        assertThat(receipts.find()).isEmpty();
    }

    @Test
    void rejectsAMapWhoseObjectIsInsertedWithoutItsId() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        assertRejected(() -> receipts.insertOfMap(Map.of("row", purchase)), "insertOfMap", "#{name.id}");

        assertThat(purchase.getId()).isNull();
    }

    @Test
    void rejectsDynamicSqlWhenItOmitsTheId() {
        MyBatisPurchase refused = new MyBatisPurchase("Ada");

        assertRejected(() -> receipts.insertWithIdOrNot(refused, false), "insertWithIdOrNot", "#{name.id}");

        assertThat(receipts.find()).isEmpty();
        assertThat(refused.getId()).isNull();
    }

    @Test
    void rejectsSqlThatHasTheIdOfAnotherObjectOnly() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");
        MyBatisPurchase earlier = new MyBatisPurchase("Ada");
        earlier.setId(42L);

        assertRejected(() -> receipts.insertAfter(purchase, earlier), "insertAfter", "#{name.id}");

        assertThat(purchase.getId()).isNull();
    }

    @Test
    void rejectsSqlOfAProviderThatOmitsTheId() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        assertRejected(() -> receipts.insertProvided(purchase), "insertProvided", "#{name.id}");

        assertThat(purchase.getId()).isNull();
    }

    @Test
    void rejectsInABatch() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");
        try (SqlSession session = factory.openSession(ExecutorType.BATCH)) {
            Receipts batch = session.getMapper(Receipts.class);

            assertRejected(() -> batch.insertWithoutId(purchase), "insertWithoutId", "#{name.id}");

            assertThat(session.flushStatements()).isEmpty();
        }
        assertThat(purchase.getId()).isNull();
    }

    @Test
    void namesTheOmittedAttributeAndRevertsTheOthers() {
        Numbered numbered = new Numbered();

        assertRejected(
                () -> receipts.insertNumbered(numbered),
                "Attribute 'number' of io.github.snowflakeid.it.mybatis.OmittedIdTests$Numbered gets Snowflake IDs",
                "remove @SnowflakeId(\"tickets\") from the attribute");

        assertThat(numbered.id).isZero();
        assertThat(numbered.number).isNull();
    }

    @Test
    void insertsAnObjectWithAnIdOfItsOwnThatTheSqlOmits() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");
        purchase.setId(42L);

        receipts.insertWithoutId(purchase);

        assertThat(purchase.getId()).isEqualTo(42);
        assertThat(receipts.find()).hasSize(1).doesNotContain(42L);
    }

    @Test
    void acceptsAnElementOfACollection() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        receipts.insertFirst(List.of(purchase));

        assertThat(receipts.find()).containsExactly(purchase.getId());
    }

    @Test
    void acceptsAnIdInTheTextOfTheSql() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        receipts.insertText(purchase);

        assertThat(receipts.find()).containsExactly(purchase.getId());
    }

    @Test
    void acceptsAVariableThatIsDerivedFromTheId() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        receipts.insertBound(purchase);

        assertThat(receipts.find()).containsExactly(purchase.getId());
    }

    @Test
    void acceptsAValueThatTheObjectDerivesFromItsId() {
        Labelled labelled = new Labelled();

        receipts.insertLabel(labelled);

        assertThat(receipts.customers()).containsExactly("receipt " + labelled.id);
    }

    @Test
    void acceptsATypeHandlerThatGetsTheObject() {
        Labelled one = new Labelled();
        Labelled other = new Labelled();

        receipts.insertWhole(one);
        receipts.insertAllAtOnce(List.of(other));

        assertThat(receipts.customers()).containsExactly(one.getLabel(), "[" + other.getLabel() + "]");
    }

    @Test
    void acceptsSqlThatAsksForAKeyFirst() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");
        Counted counted = new Counted();

        receipts.insertCounted(purchase, counted);

        assertThat(counted.count).isEqualTo(7);
        assertThat(receipts.find()).containsExactly(purchase.getId());
    }

    @Test
    void leavesErrorsInTheSqlToMyBatis() {
        assertThatThrownBy(() -> receipts.insertWrong(new MyBatisPurchase("Ada")))
                .hasStackTraceContaining("There is no getter for property named 'colour'")
                .hasNoSuppressedExceptions();
    }

    private static void assertRejected(ThrowingCallable insert, String message, String action) {
        assertThatThrownBy(insert)
                .hasRootCauseInstanceOf(ConfigurationException.class)
                .rootCause()
                .hasMessageContaining(message)
                .hasMessageEndingWith(" does not insert it: the row would have another value than the object")
                .extracting(Throwable::toString, STRING)
                .contains(action);
    }

    static class Numbered {

        @SnowflakeId
        private long id;

        @SnowflakeId("tickets")
        private String number;
    }

    static class Labelled {

        @SnowflakeId
        private Long id;

        public String getLabel() {
            return "receipt " + id;
        }

        @Override
        public String toString() {
            return getLabel();
        }
    }

    static class Counted {

        private Integer count;

        public Integer getCount() {
            return count;
        }
    }

    public static class AsText extends ObjectTypeHandler {

        @Override
        public void setNonNullParameter(PreparedStatement statement, int index, Object value, JdbcType type)
                throws SQLException {
            statement.setString(index, value.toString());
        }
    }

    public static class Sql {

        public static String insert() {
            return new SQL()
                    .INSERT_INTO("receipt")
                    .VALUES("customer", "#{customer}")
                    .toString();
        }
    }

    @Mapper
    interface Receipts {

        @Insert("insert into receipt (customer) values (#{customer})")
        void insertWithoutId(MyBatisPurchase purchase);

        @Insert("insert into receipt (customer) values (#{seller} || #{sold.customer})")
        void insertNamedWithoutId(@Param("sold") MyBatisPurchase purchase, @Param("seller") String seller);

        @Insert("""
                <script>
                insert into receipt (customer) values
                <foreach collection="list" item="it" separator=",">(#{it.customer})</foreach>
                </script>""")
        void insertAllWithoutIds(List<MyBatisPurchase> purchases);

        @Insert("insert into receipt (customer) values (#{row.customer})")
        void insertOfMap(Map<String, Object> row);

        @Insert("""
                <script>
                insert into receipt
                <if test="with">(id, customer) values (#{it.id}, #{it.customer})</if>
                <if test="!with">(customer) values (#{it.customer})</if>
                </script>""")
        void insertWithIdOrNot(@Param("it") MyBatisPurchase purchase, @Param("with") boolean with);

        @Insert("insert into receipt (customer) values (#{it.customer} || #{earlier.id})")
        void insertAfter(@Param("it") MyBatisPurchase purchase, @Param("earlier") MyBatisPurchase earlier);

        @InsertProvider(type = Sql.class, method = "insert")
        void insertProvided(MyBatisPurchase purchase);

        @Insert("insert into receipt (id) values (#{id})")
        void insertNumbered(Numbered numbered);

        @Insert("insert into receipt (id) values (#{list[0].id})")
        void insertFirst(List<MyBatisPurchase> purchases);

        @Insert("insert into receipt (id, customer) values (${id}, #{customer})")
        void insertText(MyBatisPurchase purchase);

        @Insert("""
                <script>
                <bind name="key" value="id + 0"/>
                insert into receipt (id, customer) values (#{key}, #{customer})
                </script>""")
        void insertBound(MyBatisPurchase purchase);

        @Insert("insert into receipt (customer) values (#{label})")
        void insertLabel(Labelled labelled);

        @Insert(
                "insert into receipt (customer) values (#{row, typeHandler=io.github.snowflakeid.it.mybatis.OmittedIdTests$AsText})")
        void insertWhole(@Param("row") Labelled labelled);

        @Insert(
                "insert into receipt (customer) values (#{list, typeHandler=io.github.snowflakeid.it.mybatis.OmittedIdTests$AsText})")
        void insertAllAtOnce(List<Labelled> labelled);

        @Insert("""
                <script>
                insert into receipt
                <if test="counted.count != null">(id, customer) values (#{it.id}, #{it.customer})</if>
                <if test="counted.count == null">(customer) values (#{it.customer})</if>
                </script>""")
        @SelectKey(statement = "select 7", keyProperty = "counted.count", before = true, resultType = Integer.class)
        void insertCounted(@Param("it") MyBatisPurchase purchase, @Param("counted") Counted counted);

        @Insert("<script>insert into receipt (customer) values (#{customer}) <if test='colour != null'>x</if></script>")
        void insertWrong(MyBatisPurchase purchase);

        @Select("select id from receipt order by id")
        List<Long> find();

        @Select("select customer from receipt order by id")
        List<String> customers();
    }
}
