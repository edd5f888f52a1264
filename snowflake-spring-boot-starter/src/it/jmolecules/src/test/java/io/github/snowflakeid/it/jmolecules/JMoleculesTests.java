package io.github.snowflakeid.it.jmolecules;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.List;
import org.jmolecules.ddd.types.AggregateRoot;
import org.jmolecules.ddd.types.Association;
import org.jmolecules.ddd.types.Identifier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/** The recipe of docs/typed-ids.md. */
@SpringBootTest(properties = {"spring.datasource.url=jdbc:h2:mem:jmolecules", "spring.jpa.hibernate.ddl-auto=create"})
class JMoleculesTests {

    @SnowflakeId
    @IdAsString
    record CustomerId(Long id) implements Identifier {}

    @SnowflakeId
    record PurchaseId(Long id) implements Identifier {}

    @Entity
    @Table(name = "customer")
    static class Customer implements AggregateRoot<Customer, CustomerId> {

        @Id
        CustomerId id;

        @Override
        public CustomerId getId() {
            return id;
        }
    }

    @Entity
    @Table(name = "purchase")
    static class Purchase implements AggregateRoot<Purchase, PurchaseId> {

        @Id
        PurchaseId id;

        Association<Customer, CustomerId> customer;

        protected Purchase() {}

        Purchase(Customer customer) {
            this.customer = Association.forAggregate(customer);
        }

        @Override
        public PurchaseId getId() {
            return id;
        }
    }

    @Converter(autoApply = true)
    static class ToCustomer implements AttributeConverter<Association<Customer, CustomerId>, Long> {

        @Override
        public Long convertToDatabaseColumn(Association<Customer, CustomerId> customer) {
            return customer == null ? null : customer.getId().id();
        }

        @Override
        public Association<Customer, CustomerId> convertToEntityAttribute(Long id) {
            return id == null ? null : Association.forId(new CustomerId(id));
        }
    }

    interface Customers extends JpaRepository<Customer, CustomerId> {}

    interface Purchases extends JpaRepository<Purchase, PurchaseId> {

        List<Purchase> findByCustomer(Association<Customer, CustomerId> customer);
    }

    record PurchaseView(PurchaseId id, CustomerId owner, Association<Customer, CustomerId> customer) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableJpaRepositories(considerNestedRepositories = true)
    @Import(Json.class)
    static class Shop {}

    @Autowired
    private Customers customers;

    @Autowired
    private Purchases purchases;

    @Autowired
    private Json json;

    @Test
    void identifiersAreGeneratedAndFound() {
        Customer customer = customers.save(new Customer());
        Purchase purchase = purchases.save(new Purchase(customer));

        assertThat(customer.id.id()).isPositive();
        assertThat(purchases.findById(purchase.id).orElseThrow().customer.pointsTo(customer))
                .isTrue();
        assertThat(purchases.findByCustomer(Association.forAggregate(customer)))
                .extracting(Purchase::getId)
                .containsExactly(purchase.id);
    }

    @Test
    void identifiersAndAssociationsAreInJson() throws Exception {
        PurchaseView view =
                new PurchaseView(new PurchaseId(1L), new CustomerId(2L), Association.forId(new CustomerId(3L)));
        String written = json.write(view);

        assertThat(written).isEqualTo("{\"id\":1,\"owner\":\"2\",\"customer\":\"3\"}");
        PurchaseView read = json.read(written, PurchaseView.class);
        assertThat(read.id()).isEqualTo(view.id());
        assertThat(read.owner()).isEqualTo(view.owner());
        assertThat(read.customer().getId()).isEqualTo(new CustomerId(3L));
    }
}
