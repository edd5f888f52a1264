package io.github.snowflakeid.it.datamongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.it.datamongodb.MongoOrder.Delivery;
import io.github.snowflakeid.it.datamongodb.MongoOrder.Line;
import io.github.snowflakeid.it.datamongodb.MongoOrder.Note;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.config.EnableMongoAuditing;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReplaceOptions;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.test.context.ContextConfiguration;

@SpringBootTest(classes = {MongoShop.class, MongoTests.Auditing.class})
@ContextConfiguration(initializers = MongoServer.class)
class MongoTests {

    @EnableMongoAuditing
    static class Auditing {}

    @Autowired
    private MongoTicketRepository tickets;

    @Autowired
    private MongoOrderRepository orders;

    @Autowired
    private MongoTemplate template;

    @Autowired
    private IdGenerator ids;

    @Test
    void savedDocumentsHaveIds() {
        MongoTicket saved = tickets.save(new MongoTicket(null, "Hamlet"));

        assertThat(IdLayout.DEFAULT.decode(saved.id()).workerId()).isEqualTo(7);
        assertThat(tickets.findById(saved.id())).contains(saved);
        assertThat(raw("mongoTicket", saved.id())).containsEntry("_id", saved.id());
    }

    private Document raw(String collection, Object id) {
        return template.getCollection(collection).find(new Document("_id", id)).first();
    }

    @Test
    void allWaysToInsertSetIds() {
        List<MongoTicket> all = tickets.saveAll(List.of(new MongoTicket(null, "a"), new MongoTicket(null, "b")));
        all.addAll(tickets.insert(List.of(new MongoTicket(null, "c"))));
        all.addAll(template.insertAll(List.of(new MongoTicket(null, "d"))));
        all.add(template.insert(new MongoTicket(null, "e")));
        all.add(template.save(new MongoTicket(null, "f")));
        all.add(template.insert(MongoTicket.class).one(new MongoTicket(null, "g")));

        assertThat(all).extracting(MongoTicket::id).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(tickets.findAllById(all.stream().map(MongoTicket::id).toList()))
                .containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void bulkInsertsSetIds() {
        template.bulkOps(BulkMode.UNORDERED, MongoTicket.class)
                .insert(List.of(new MongoTicket(null, "bulk"), new MongoTicket(null, "bulk")))
                .execute();

        assertThat(template.find(Query.query(Criteria.where("title").is("bulk")), MongoTicket.class))
                .hasSize(2)
                .extracting(MongoTicket::id)
                .doesNotHaveDuplicates();
    }

    @Test
    void idsThatAreSetAreKept() {
        assertThat(tickets.save(new MongoTicket(4711L, "imported")).id()).isEqualTo(4711);
        assertThat(tickets.insert(new MongoTicket(4712L, "imported")).id()).isEqualTo(4712);
        assertThat(tickets.findAllById(List.of(4711L, 4712L))).hasSize(2);
        assertThat(tickets.save(new MongoTicket(4711L, "changed")))
                .isEqualTo(tickets.findById(4711L).get());
    }

    static class Text {

        @Id
        @SnowflakeId
        String id;
    }

    record Primitive(@Id @SnowflakeId long id, String name) {}

    @Test
    void stringsAndPrimitivesAreIds() {
        Text text = template.insert(new Text());
        assertThat(text.id).containsOnlyDigits();
        assertThat(template.findById(text.id, Text.class).id).isEqualTo(text.id);
        assertThat(raw("text", text.id)).containsEntry("_id", text.id);

        Primitive primitive = template.save(new Primitive(0, "x"));
        assertThat(primitive.id()).isPositive();
        assertThat(template.findById(primitive.id(), Primitive.class)).isEqualTo(primitive);
    }

    private static MongoOrder order(String customer) {
        MongoOrder order = new MongoOrder(customer);
        order.lines = List.of(new Line(null, "tea"), new Line(5L, "milk"));
        order.notes = new HashSet<>(Set.of(new Note("ring twice")));
        order.gifts = Map.of("one", new Line(null, "cup"));
        order.delivery = new Delivery(null, List.of(new Line(null, "box")));
        return order;
    }

    @Test
    void embeddedObjectsHaveIds() {
        MongoOrder saved = orders.save(order("Ada"));

        MongoOrder found = orders.findById(saved.id).orElseThrow();
        assertThat(found.lines)
                .isEqualTo(saved.lines)
                .extracting(Line::id)
                .doesNotContainNull()
                .contains(5L);
        assertThat(found.gifts).isEqualTo(saved.gifts);
        assertThat(found.delivery).isEqualTo(saved.delivery);
        assertThat(IdLayout.JAVASCRIPT_SAFE.decode(found.delivery.number()).workerId())
                .isEqualTo(3);
        assertThat(found.delivery.parcels().get(0).id()).isPositive();
        assertThat(saved.notes).isEqualTo(found.notes).allMatch(note -> note.number.length() == 13);
        assertThat(raw("mongoOrder", saved.id.value())
                        .getList("lines", Document.class)
                        .get(0)
                        .get("_id"))
                .isEqualTo(saved.lines.get(0).id());

        found.lines = List.of(found.lines.get(0), new Line(null, "sugar"));
        MongoOrder updated = orders.save(found);
        assertThat(updated.lines.get(0)).isEqualTo(saved.lines.get(0));
        assertThat(updated.lines.get(1).id()).isPositive();
    }

    static class Parcel {

        @Id
        @SnowflakeId
        Long id;

        Line[] lines = {new Line(null, "tea")};

        Object content = new Line(null, "milk");

        Map<String, Object> labels = Map.of("fragile", List.of(new Line(null, "glass")), "kilograms", 3);
    }

    @Test
    void objectsInArraysAndOfUndeclaredTypesHaveIds() {
        Parcel saved = template.save(new Parcel());

        Parcel found = template.findById(saved.id, Parcel.class);
        assertThat(found.lines).isEqualTo(saved.lines).doesNotContain(new Line(null, "tea"));
        assertThat(found.content).isEqualTo(saved.content).isNotEqualTo(new Line(null, "milk"));
        assertThat(found.labels)
                .isEqualTo(saved.labels)
                .containsEntry("kilograms", 3)
                .doesNotContainValue(List.of(new Line(null, "glass")));
    }

    static class Shelf {

        @Id
        @SnowflakeId
        Long id;

        final Set<Note> notes = new HashSet<>();
    }

    /** Objects that the application changed while they were in a set cannot be found there, but need no copy of the set. */
    @Test
    void setsWhoseElementsHaveIdsAreKept() {
        Note note = new Note("top");
        note.number = "000000000001A";
        Shelf shelf = new Shelf();
        shelf.notes.add(note);
        note.number = "000000000001B";

        assertThat(template.save(shelf).notes).containsExactly(note);
    }

    @Test
    void versionsAndAuditingBehaveAsWithObjectIds() {
        MongoOrder saved = orders.save(new MongoOrder("Ada"));
        assertThat(saved.version).isZero();
        assertThat(saved.created).isNotNull();

        MongoOrder stale = orders.findById(saved.id).orElseThrow();
        saved.customer = "Bob";
        assertThat(orders.save(saved).version).isEqualTo(1);
        assertThatExceptionOfType(OptimisticLockingFailureException.class).isThrownBy(() -> orders.save(stale));
    }

    @Test
    void typedIdsAreStoredAsNumbersAndFound() {
        MongoOrder first = orders.save(new MongoOrder("Ada"));
        MongoOrder second = new MongoOrder("Bob");
        second.replaces = first.id;
        second.related = List.of(first.id, new MongoOrderId(3));
        second.parent = first;
        second.root = first;
        second = orders.save(second);

        Document stored = raw("mongoOrder", second.id.value());
        assertThat(stored).containsEntry("replaces", first.id.value());
        assertThat(stored.getList("related", Long.class)).containsExactly(first.id.value(), 3L);
        assertThat(stored).containsEntry("root", first.id.value());
        MongoOrder found = orders.findById(second.id).orElseThrow();
        assertThat(found.replaces).isEqualTo(first.id);
        assertThat(found.related).isEqualTo(second.related);
        assertThat(found.parent.id).isEqualTo(first.id);
        assertThat(found.root.id).isEqualTo(first.id);
        assertThat(orders.findAllById(List.of(first.id, second.id))).hasSize(2);
        assertThat(orders.findByIdIn(List.of(first.id, second.id))).hasSize(2);
        assertThat(orders.findByReplaces(first.id)).hasSize(1);
        assertThat(orders.findByRelated(first.id)).hasSize(1);
        assertThat(orders.findByParent(first)).hasSize(1);
        assertThat(orders.findByRoot(first)).hasSize(1);
        orders.deleteById(second.id);
        assertThat(orders.existsById(second.id)).isFalse();
    }

    @Test
    void updatesMayContainTypedIds() {
        MongoOrder saved = orders.save(new MongoOrder("Ada"));
        template.updateFirst(
                Query.query(Criteria.where("id").is(saved.id)),
                Update.update("replaces", new MongoOrderId(9)),
                MongoOrder.class);

        assertThat(orders.findById(saved.id).orElseThrow().replaces).isEqualTo(new MongoOrderId(9));
    }

    @Test
    void replacementsWithoutAnIdAreRejected() {
        MongoTicket saved = tickets.save(new MongoTicket(null, "old"));
        Query query = Query.query(Criteria.where("title").is("old"));

        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> template.replace(query, new MongoTicket(null, "new")))
                .withMessageStartingWith(MongoTicket.class.getName() + " was not written");
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> template.replace(
                        Query.query(Criteria.where("title").is("none")),
                        new MongoTicket(null, "new"),
                        ReplaceOptions.replaceOptions().upsert()));

        assertThat(template.replace(query, new MongoTicket(saved.id(), "new")).getModifiedCount())
                .isEqualTo(1);
        assertThat(tickets.findById(saved.id())).contains(new MongoTicket(saved.id(), "new"));
    }

    @Test
    void findAndReplaceNeedsTheIdOfTheDocument() {
        MongoTicket saved = tickets.save(new MongoTicket(null, "found"));
        Query query = Query.query(Criteria.where("title").is("found"));

        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> template.findAndReplace(query, new MongoTicket(null, "other")));
        template.findAndReplace(query, new MongoTicket(saved.id(), "other"));
        assertThat(tickets.findById(saved.id())).contains(new MongoTicket(saved.id(), "other"));
    }

    @Test
    void upsertsSetTheIdTheySay() {
        long id = ids.nextId();
        Query query = Query.query(Criteria.where("title").is("upserted"));
        template.upsert(query, new Update().setOnInsert("id", id), MongoTicket.class);
        template.upsert(query, new Update().setOnInsert("id", ids.nextId()), MongoTicket.class);

        assertThat(template.find(query, MongoTicket.class)).containsExactly(new MongoTicket(id, "upserted"));
    }

    @Test
    void documentsWithoutAClassAreLeftAlone() {
        Document saved = template.insert(new Document("title", "raw"), "raw");

        assertThat(saved).doesNotContainKey("id");
    }
}
