package io.github.snowflakeid.it.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.ibatis.executor.Executor;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.plugin.Intercepts;
import org.apache.ibatis.plugin.Invocation;
import org.apache.ibatis.plugin.Signature;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.annotation.Transactional;

@SpringBootTest
@Transactional
class MyBatisInsertTests {

    @Autowired
    private MyBatisPurchaseMapper purchases;

    @Autowired
    private MyBatisTicketMapper tickets;

    @Autowired
    private SqlSessionFactory factory;

    @Autowired
    private Witness witness;

    @Test
    void fillsTheOnlyParameter() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        purchases.insert(purchase);

        assertThat(purchase.getId()).isPositive();
        assertThat(saved()).containsExactly(purchase.getId());
    }

    @Test
    void fillsANamedParameter() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        purchases.insertNamed(purchase);

        assertThat(saved()).containsExactly(purchase.getId());
    }

    @Test
    void fillsAParameterNextToOthers() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        purchases.insertFor("Grace", purchase);

        assertThat(saved()).containsExactly(purchase.getId());
    }

    @Test
    void fillsSeveralParameters() {
        MyBatisPurchase first = new MyBatisPurchase("Ada");
        MyBatisPurchase second = new MyBatisPurchase("Grace");

        purchases.insertBoth(first, second);

        assertThat(saved()).containsExactlyInAnyOrder(first.getId(), second.getId());
    }

    @Test
    void fillsElementsOfACollection() {
        List<MyBatisPurchase> all =
                List.of(new MyBatisPurchase("Ada"), new MyBatisPurchase("Grace"), new MyBatisPurchase("Edsger"));

        purchases.insertAll(all);

        assertThat(all).extracting(MyBatisPurchase::getId).isSorted().doesNotHaveDuplicates();
        assertThat(saved())
                .containsExactlyElementsOf(
                        all.stream().map(MyBatisPurchase::getId).toList());
    }

    @Test
    void fillsElementsOfAnArray() {
        MyBatisPurchase[] all = {new MyBatisPurchase("Ada"), new MyBatisPurchase("Grace")};

        purchases.insertArray(all);

        assertThat(saved())
                .containsExactlyElementsOf(
                        Arrays.stream(all).map(MyBatisPurchase::getId).toList());
    }

    @Test
    void fillsElementsOfCollectionsInAMap() {
        List<MyBatisPurchase> one = List.of(new MyBatisPurchase("Ada"), new MyBatisPurchase("Grace"));
        List<MyBatisPurchase> other = List.of(new MyBatisPurchase("Edsger"));

        purchases.insertGroups(new TreeMap<>(Map.of("a", one, "b", other)));

        assertThat(saved())
                .containsExactly(
                        one.get(0).getId(), one.get(1).getId(), other.get(0).getId());
    }

    @Test
    void fillsOneObjectOnce() {
        MyBatisPurchase twice = new MyBatisPurchase("Ada");

        purchases.insertBoth(twice, twice);

        assertThat(saved()).containsExactly(twice.getId(), twice.getId());
    }

    @Test
    void fillsBeforeDynamicSqlLooksAtTheId() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        tickets.insertWhatIsSet(purchase);

        assertThat(saved()).containsExactly(purchase.getId());
    }

    @Test
    void fillsInABatch() {
        List<MyBatisPurchase> all = new ArrayList<>();
        try (SqlSession session = factory.openSession(ExecutorType.BATCH)) {
            MyBatisPurchaseMapper mapper = session.getMapper(MyBatisPurchaseMapper.class);
            for (int i = 0; i < 100; i++) {
                all.add(new MyBatisPurchase("Ada"));
                mapper.insert(all.get(i));
            }
            session.flushStatements();

            assertThat(mapper.findAll())
                    .extracting(MyBatisPurchase::getId)
                    .doesNotHaveDuplicates()
                    .hasSize(100);
        }
        assertThat(all).extracting(MyBatisPurchase::getId).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void fillsAttributesOfAllTypesWithIdsOfTheirGenerators() {
        MyBatisTicket ticket = new MyBatisTicket();

        tickets.insert(ticket);

        Map<String, Object> saved = tickets.find(ticket.getId());
        assertThat(saved).containsEntry("NUMBER", ticket.number()).containsEntry("SERIAL", ticket.serial());
        assertThat(Long.parseLong(ticket.number())).isBetween(1L, 1L << 53);
        assertThat(Set.of(ticket.getId(), ticket.serial(), ticket.getCode().longValueExact()))
                .hasSize(3)
                .allMatch(id -> id > 1L << 53);
    }

    @Test
    void keepsAnIdThatIsSet() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");
        purchase.setId(42L);

        purchases.insert(purchase);

        assertThat(purchase.getId()).isEqualTo(42);
    }

    @Test
    void fillsNothingButInserts() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        assertThat(purchases.update(purchase)).isZero();

        assertThat(purchase.getId()).isNull();
    }

    @Test
    void otherInterceptorsSeeTheIds() {
        MyBatisPurchase purchase = new MyBatisPurchase("Ada");

        purchases.insert(purchase);

        assertThat(witness.lastId).isEqualTo(purchase.getId());
    }

    private List<Long> saved() {
        return purchases.findAll().stream().map(MyBatisPurchase::getId).toList();
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Interceptors {

        @Bean
        Witness witness() {
            return new Witness();
        }
    }

    @Intercepts(
            @Signature(
                    type = Executor.class,
                    method = "update",
                    args = {MappedStatement.class, Object.class}))
    static class Witness implements Interceptor {

        private Long lastId;

        @Override
        public Object intercept(Invocation invocation) throws Throwable {
            if (invocation.getArgs()[1] instanceof MyBatisPurchase purchase) {
                lastId = purchase.getId();
            }
            return invocation.proceed();
        }
    }
}
