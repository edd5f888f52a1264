package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.text.IdFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.PriorityOrdered;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.DelegatingDataAccessStrategy;
import org.springframework.jdbc.core.JdbcTemplate;

@SpringBootTest
class AggregateTests {

    @Autowired
    private DataJdbcOrderRepository orders;

    @Autowired
    private DataJdbcTicketRepository tickets;

    @Autowired
    private JdbcAggregateTemplate template;

    @Autowired
    private JdbcTemplate jdbc;

    @Test
    void rowOfARecordIsInsertedWithAnId() {
        DataJdbcTicket saved = tickets.save(new DataJdbcTicket(null, "Hamlet"));

        assertThat(IdLayout.DEFAULT.decode(saved.id()).timestamp()).isBeforeOrEqualTo(java.time.Instant.now());
        assertThat(saved.title()).isEqualTo("Hamlet");
        assertThat(tickets.findById(saved.id())).contains(saved);
    }

    @Test
    void everyLevelOfAnAggregateGetsIdsAndKeepsThem() {
        DataJdbcOrder order = new DataJdbcOrder("Ada");
        order.lines.add(new DataJdbcOrder.Line("tea"));
        order.lines.add(new DataJdbcOrder.Line("cups"));
        order.lines.forEach(line -> line.discounts.add(new DataJdbcOrder.Discount(null, 10)));
        order.notes.add(new DataJdbcOrder.Note(null, "ring twice"));
        order.notes.add(new DataJdbcOrder.Note(null, "wrap it"));
        order.addresses.put("home", new DataJdbcOrder.Address(null, "Main Street"));
        order.payment = new DataJdbcOrder.Payment(null, 12);

        DataJdbcOrder saved = orders.save(order);
        DataJdbcOrder read = orders.findById(saved.id).orElseThrow();

        assertThat(idsOf(saved)).hasSize(9).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(idsOf(read)).containsExactlyInAnyOrderElementsOf(idsOf(saved));
        assertThat(IdFormat.CROCKFORD.parse(read.payment.id())).isGreaterThan(read.id);
        assertThat(saved.lines).allSatisfy(line -> assertThat(saved.lines).contains(line));
        assertThat(saved.notes).extracting(DataJdbcOrder.Note::text).containsExactly("ring twice", "wrap it");
        assertThat(IdLayout.JAVASCRIPT_SAFE
                        .decode(read.addresses.get("home").id())
                        .timestamp())
                .isAfter(java.time.Instant.now().minusSeconds(60));

        List<Object> before = idsOf(read);
        read.customer = "Ada Lovelace";
        read.notes.add(0, new DataJdbcOrder.Note(null, "first"));
        read.lines.iterator().next().discounts.add(new DataJdbcOrder.Discount(null, 20));
        orders.save(read);
        DataJdbcOrder again = orders.findById(read.id).orElseThrow();

        assertThat(again.customer).isEqualTo("Ada Lovelace");
        assertThat(idsOf(again))
                .hasSize(11)
                .containsAll(before)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(jdbc.queryForObject("select count(*) from orders where id = " + read.id, Integer.class))
                .isEqualTo(1);
    }

    private static List<Object> idsOf(DataJdbcOrder order) {
        Stream<Object> lines = order.lines.stream()
                .flatMap(line -> Stream.concat(
                        Stream.of(line.id), line.discounts.stream().map(DataJdbcOrder.Discount::id)));
        return Stream.of(
                        Stream.of(order.id, order.payment.id()),
                        lines,
                        order.notes.stream().map(DataJdbcOrder.Note::id),
                        order.addresses.values().stream().map(DataJdbcOrder.Address::id))
                .flatMap(ids -> ids)
                .collect(Collectors.toList());
    }

    @Test
    void severalColumnsGetIdsOfSeveralTypesAndGenerators() {
        DataJdbcAccount saved = template.save(new DataJdbcAccount(new DataJdbcAccount.Origin(null, "web")));
        DataJdbcAccount read = template.findById(saved.id(), DataJdbcAccount.class);

        assertThat(IdLayout.DEFAULT.decode(Long.parseLong(read.id()))).isNotNull();
        assertThat(read.getNumber()).isGreaterThan(Long.parseLong(read.id()));
        assertThat(read.legacy().longValueExact()).isLessThan(1L << 53);
        assertThat(read.origin().id()).isGreaterThan(read.getNumber());
        assertThat(read.origin().name()).isEqualTo("web");
    }

    @Test
    void existingRowGetsNoNewIds() {
        DataJdbcAccount saved = template.save(new DataJdbcAccount(null));
        saved.forgetLegacy();
        template.save(saved);

        assertThat(template.findById(saved.id(), DataJdbcAccount.class).legacy())
                .isNull();
        assertThat(template.findById(saved.id(), DataJdbcAccount.class).getNumber())
                .isEqualTo(saved.getNumber());
    }

    @Test
    void objectThatCannotBeChangedIsCopied() {
        Fixed unsaved = Fixed.of("one");
        Fixed saved = template.save(unsaved);

        assertThat(unsaved.id()).isNull();
        assertThat(template.findById(saved.id(), Fixed.class).id()).isEqualTo(saved.id());
    }

    @Test
    void zeroIsNoIdInAPrimitive() {
        DataJdbcCounter saved = template.save(new DataJdbcCounter("visits"));

        assertThat(saved.id).isPositive();
        saved.name = "visitors";
        template.save(saved);
        assertThat(template.findById(saved.id, DataJdbcCounter.class).name).isEqualTo("visitors");
    }

    @Test
    void manyAreSavedAtOnce() {
        List<DataJdbcTicket> saved = tickets.saveAll(Stream.generate(() -> new DataJdbcTicket(null, "seat"))
                .limit(100)
                .collect(Collectors.toList()));

        assertThat(saved).extracting(DataJdbcTicket::id).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(tickets.findAllById(saved.stream().map(DataJdbcTicket::id).collect(Collectors.toList())))
                .hasSize(100);
    }

    @Test
    void insertKeepsAnIdThatIsSetAndSetsOneThatIsNot() {
        DataJdbcTicket imported = template.insert(new DataJdbcTicket(17L, "imported"));
        DataJdbcTicket made = template.insert(new DataJdbcTicket(null, "made"));

        assertThat(imported.id()).isEqualTo(17);
        assertThat(made.id()).isGreaterThan(17);
        assertThat(tickets.findById(17L)).contains(imported);
    }

    @Test
    void rowThatIsInsertedWithAnIdGetsIdsInItsOtherColumns() {
        DataJdbcAccount imported = new DataJdbcAccount(null);
        imported.importAs("4711");
        template.insert(imported);

        DataJdbcAccount read = template.findById("4711", DataJdbcAccount.class);
        assertThat(read.getNumber()).isPositive().isEqualTo(imported.getNumber());
        assertThat(read.legacy()).isPositive().isEqualTo(imported.legacy());
    }

    @Test
    void rowWhoseIdWasSetByHandIsNotLostInSilence() {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> tickets.save(new DataJdbcTicket(4711L, "lost")))
                .satisfies(
                        thrown -> assertThat(NestedExceptionUtils.getMostSpecificCause(thrown))
                                .isInstanceOf(IncorrectUpdateSemanticsDataAccessException.class)
                                .hasMessage(
                                        "io.github.snowflakeid.it.datajdbc.DataJdbcTicket with ID 4711 was not saved: Spring Data updates objects whose ID is set, but there is no such row. To insert a new row, leave 'id' unset so that @SnowflakeId sets it, or call JdbcAggregateTemplate.insert"));
        assertThat(tickets.findById(4711L)).isEmpty();
    }

    /** Simulates a driver that does not count rows whose values stay the same. */
    @Test
    void existingRowIsSavedEvenIfTheDriverDoesNotCountIt() {
        try (ConfigurableApplicationContext context =
                SpringApplication.run(Uncounted.class, "--spring.datasource.url=jdbc:h2:mem:uncounted")) {
            DataJdbcTicketRepository itsTickets = context.getBean(DataJdbcTicketRepository.class);
            DataJdbcTicket saved = itsTickets.save(new DataJdbcTicket(null, "Hamlet"));

            itsTickets.save(new DataJdbcTicket(saved.id(), "Macbeth"));

            assertThat(itsTickets.findById(saved.id())).contains(new DataJdbcTicket(saved.id(), "Macbeth"));
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> itsTickets.save(new DataJdbcTicket(4711L, "lost")))
                    .satisfies(thrown -> assertThat(NestedExceptionUtils.getMostSpecificCause(thrown))
                            .hasMessageStartingWith(
                                    "io.github.snowflakeid.it.datajdbc.DataJdbcTicket with ID 4711 was not saved"));
        }
    }

    @Import(DataJdbcShop.class)
    static class Uncounted {

        @Bean
        static Silence silence() {
            return new Silence();
        }

        static class Silence implements BeanPostProcessor, PriorityOrdered {

            @Override
            public int getOrder() {
                return HIGHEST_PRECEDENCE;
            }

            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataAccessStrategy strategy ? new SilentStrategy(strategy) : bean;
            }
        }

        static class SilentStrategy extends DelegatingDataAccessStrategy {

            SilentStrategy(DataAccessStrategy strategy) {
                super(strategy);
            }

            @Override
            public <T> boolean update(T instance, Class<T> domainType) {
                super.update(instance, domainType);
                return false;
            }
        }
    }

    @Test
    void staleVersionIsStillSpringDatasError() {
        DataJdbcOrder order = orders.save(new DataJdbcOrder("Bob"));
        DataJdbcOrder other = orders.findById(order.id).orElseThrow();
        orders.save(order);

        assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> orders.save(other));
    }
}
