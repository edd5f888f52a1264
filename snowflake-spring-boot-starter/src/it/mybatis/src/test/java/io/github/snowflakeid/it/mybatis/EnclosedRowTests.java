package io.github.snowflakeid.it.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mybatis.dynamic.sql.SqlBuilder.insert;
import static org.mybatis.dynamic.sql.SqlBuilder.insertBatch;
import static org.mybatis.dynamic.sql.SqlBuilder.insertMultiple;

import io.github.snowflakeid.failure.ConfigurationException;
import java.util.List;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.InsertProvider;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Param;
import org.apache.ibatis.annotations.Select;
import org.junit.jupiter.api.Test;
import org.mybatis.dynamic.sql.SqlColumn;
import org.mybatis.dynamic.sql.SqlTable;
import org.mybatis.dynamic.sql.insert.render.InsertStatementProvider;
import org.mybatis.dynamic.sql.insert.render.MultiRowInsertStatementProvider;
import org.mybatis.dynamic.sql.render.RenderingStrategies;
import org.mybatis.dynamic.sql.util.SqlProviderAdapter;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.transaction.annotation.Transactional;

/** Rows inside of other objects, inserted into a table whose IDs the database generates if there is none. */
@SpringBootTest
@Transactional
class EnclosedRowTests {

    private static final SqlTable RECEIPT = SqlTable.of("receipt");
    private static final SqlColumn<Long> ID = RECEIPT.column("id");
    private static final SqlColumn<String> CUSTOMER = RECEIPT.column("customer");

    @Autowired
    private Receipts receipts;

    private final MyBatisPurchase ada = new MyBatisPurchase("Ada");

    private final MyBatisPurchase grace = new MyBatisPurchase("Grace");

    @Test
    void fillsTheRowOfDynamicSql() {
        receipts.insert(insert(ada)
                .into(RECEIPT)
                .map(ID)
                .toProperty("id")
                .map(CUSTOMER)
                .toProperty("customer")
                .build()
                .render(RenderingStrategies.MYBATIS3));

        assertThat(ada.getId()).isPositive();
        assertThat(receipts.find()).containsExactly(ada.getId());
    }

    @Test
    void fillsTheRowsOfDynamicSql() {
        receipts.insertMultiple(insertMultiple(ada, grace)
                .into(RECEIPT)
                .map(ID)
                .toProperty("id")
                .map(CUSTOMER)
                .toProperty("customer")
                .build()
                .render(RenderingStrategies.MYBATIS3));

        assertThat(receipts.find()).containsExactly(ada.getId(), grace.getId());
    }

    @Test
    void fillsTheRowsOfABatchOfDynamicSql() {
        insertBatch(ada, grace)
                .into(RECEIPT)
                .map(ID)
                .toProperty("id")
                .map(CUSTOMER)
                .toProperty("customer")
                .build()
                .render(RenderingStrategies.MYBATIS3)
                .insertStatements()
                .forEach(receipts::insert);

        assertThat(receipts.find()).containsExactly(ada.getId(), grace.getId());
    }

    @Test
    void keepsAnIdThatIsSet() {
        ada.setId(42L);

        receipts.insertAll(List.of(new Command(ada, null), new Command(grace, null)));

        assertThat(receipts.find()).containsExactly(42L, grace.getId());
    }

    @Test
    void rejectsDynamicSqlThatOmitsTheId() {
        InsertStatementProvider<MyBatisPurchase> selective = insert(ada)
                .into(RECEIPT)
                .map(ID)
                .toPropertyWhenPresent("id", ada::getId)
                .map(CUSTOMER)
                .toProperty("customer")
                .build()
                .render(RenderingStrategies.MYBATIS3);

        assertThatThrownBy(() -> receipts.insert(selective))
                .rootCause()
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("insert does not insert it");

        assertThat(ada.getId()).isNull();
        assertThat(receipts.find()).isEmpty();
    }

    @Test
    void fillsTheOnlyObjectThatAStatementReads() {
        receipts.insertNamed(new Command(ada, "Edsger"));

        assertThat(receipts.find()).containsExactly(ada.getId());
    }

    @Test
    void setsNoIdInAReference() {
        receipts.insertReferenceAnd(new Command(ada, "Edsger"));
        receipts.insertReference(new Command(ada, null));
        receipts.insertReferences(new Command(ada, null), new Command(grace, null));

        assertThat(ada.getId()).isNull();
        assertThat(grace.getId()).isNull();
        assertThat(receipts.find()).hasSize(3);
    }

    @Test
    void insertsAReferenceToAnotherRow() {
        ada.setId(42L);

        receipts.insertFor(new Command(ada, "Edsger"));
        receipts.insertFor(new Command(null, "Edsger"));

        assertThat(receipts.find()).hasSize(2).contains(42L);
    }

    public static class Command {

        private final MyBatisPurchase purchase;

        private final String operator;

        Command(MyBatisPurchase purchase, String operator) {
            this.purchase = purchase;
            this.operator = operator;
        }

        public MyBatisPurchase getPurchase() {
            return purchase;
        }

        public String getOperator() {
            return operator;
        }
    }

    @Mapper
    interface Receipts {

        @InsertProvider(type = SqlProviderAdapter.class, method = "insert")
        int insert(InsertStatementProvider<MyBatisPurchase> statement);

        @InsertProvider(type = SqlProviderAdapter.class, method = "insertMultiple")
        int insertMultiple(MultiRowInsertStatementProvider<MyBatisPurchase> statement);

        @Insert("insert into receipt (id, customer) values (#{it.purchase.id}, #{it.purchase.customer})")
        void insertNamed(@Param("it") Command command);

        @Insert("""
                <script>
                insert into receipt (id, customer) values
                <foreach collection="list" item="it" separator=",">(#{it.purchase.id}, #{it.purchase.customer})</foreach>
                </script>""")
        void insertAll(List<Command> commands);

        @Insert(
                "<script>insert into receipt (customer <if test='purchase != null'>, id</if>) values (#{operator} <if test='purchase != null'>, #{purchase.id}</if>)</script>")
        void insertFor(Command command);

        @Insert("insert into receipt (customer) values (coalesce(cast(#{purchase.id} as varchar), #{operator}))")
        void insertReferenceAnd(Command command);

        @Insert("insert into receipt (customer) values (#{purchase.id})")
        void insertReference(Command command);

        @Insert(
                "insert into receipt (customer) values (coalesce(cast(#{a1.purchase.id} as varchar), cast(#{a2.purchase.id} as varchar), #{a2.purchase.customer}))")
        void insertReferences(@Param("a1") Command first, @Param("a2") Command second);

        @Select("select id from receipt order by id")
        List<Long> find();
    }
}
