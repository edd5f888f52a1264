package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.data.AnnotatedEntities.Attribute;
import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.CollectionFactory;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.ClassUtils;

/**
 * One object that is saved, and the ids that it still needs. Attributes of the object itself, and of what is embedded in it, get
 * ids only if it is new. What else it is made of is inserted with each save, so whatever has no id there gets one.
 *
 * <p>For use by one thread at a time.
 */
@SuppressWarnings("ReferenceEquality") // A copy may equal the object, but is not what is to be saved.
final class IdAssignment {

    private final AnnotatedEntities entities;
    private final Plan plan;
    private final boolean isRow;
    private final boolean isNew;
    private final boolean hadEmptyId;
    private Object saved;

    private Function<IdGenerator, OptionalLong> source = ids -> OptionalLong.empty();
    private boolean complete = true;
    private int made;

    private IdAssignment(Object saved, AnnotatedEntities entities, boolean isRow) {
        this.entities = entities;
        this.saved = saved;
        this.isRow = isRow;
        plan = entities.planFor(ClassUtils.getUserClass(saved));
        boolean isNewRow = isRow || (!plan.isEmpty() && plan.entity().isNew(saved));
        hadEmptyId = !isNewRow && hasEmptyId();
        isNew = isNewRow || hadEmptyId;
    }

    /** Whether Spring Data takes it for an existing row, since its ID is an object, although one that holds nothing. */
    boolean hadEmptyId() {
        return hadEmptyId;
    }

    /** The ID that the object has now. */
    @Nullable
    Object id() {
        return plan.idOf(saved);
    }

    private boolean hasEmptyId() {
        Attribute typedId = plan.annotatedId();
        if (typedId != null) {
            Object id = plan.accessor(saved).getProperty(typedId.property());
            return id != null && !typedId.type().isSet(id);
        }
        RelationalPersistentProperty id = plan.embeddedId();
        Object value = id == null ? null : plan.accessor(saved).getProperty(id);
        if (value == null) {
            return false;
        }
        Plan itsPlan = entities.planFor(value.getClass());
        PersistentPropertyAccessor<Object> accessor = itsPlan.accessor(value);
        return itsPlan.attributes().stream()
                .anyMatch(attribute -> !attribute.type().isSet(accessor.getProperty(attribute.property())));
    }

    /** Of an object and of all that is saved with it. */
    static IdAssignment ofAggregate(Object saved, AnnotatedEntities entities) {
        return new IdAssignment(saved, entities, false);
    }

    /** Of an object that is inserted, without what has rows of its own. */
    static IdAssignment ofRow(Object inserted, AnnotatedEntities entities) {
        return new IdAssignment(inserted, entities, true);
    }

    /**
     * Sets ids where there are none.
     *
     * @param ids makes one; empty if it cannot at this moment
     * @return whether all are set
     */
    boolean fill(Function<IdGenerator, OptionalLong> ids) {
        source = ids;
        complete = true;
        saved = filled(saved, plan, isNew);
        return complete;
    }

    /** The object, or a copy of it where it cannot be changed, with the ids that are set so far. */
    Object saved() {
        return saved;
    }

    private Object filled(Object object, Plan itsPlan, boolean isInserted) {
        if (itsPlan.isEmpty()) {
            return object;
        }
        PersistentPropertyAccessor<Object> accessor = itsPlan.accessor(object);
        for (Attribute attribute : isInserted ? itsPlan.attributes() : List.<Attribute>of()) {
            if (complete && !attribute.type().isSet(accessor.getProperty(attribute.property()))) {
                OptionalLong id = source.apply(attribute.ids());
                if (id.isPresent()) {
                    accessor.setProperty(attribute.property(), attribute.type().convert(id.getAsLong()));
                    made++;
                } else {
                    complete = false;
                }
            }
        }
        for (RelationalPersistentProperty part : itsPlan.parts()) {
            Object value = accessor.getProperty(part);
            Object filledValue = value;
            if (value == null && part.isIdProperty() && isInserted) {
                filledValue = newId(itsPlan, part);
            } else if (value != null && (part.isEmbedded() || !isRow)) {
                filledValue = filledPart(value, part, isInserted || !part.isEmbedded());
            }
            if (filledValue != value) {
                AnnotatedEntities.refuseUnlessSettable(part, "");
                accessor.setProperty(part, filledValue);
            }
        }
        return accessor.getBean();
    }

    /** A new embedded ID, created with its ids, since its constructor may reject null; null if it cannot have them at this moment. */
    private @Nullable Object newId(Plan owner, RelationalPersistentProperty part) {
        Plan itsPlan = entities.planFor(part.getActualType());
        for (RelationalPersistentProperty property : itsPlan.entity()) {
            if (!property.isAnnotationPresent(SnowflakeId.class)) {
                throw owner.incompleteId(property.getName());
            }
        }
        Map<String, Object> ids = new HashMap<>();
        for (Attribute attribute : itsPlan.attributes()) {
            OptionalLong id = complete ? source.apply(attribute.ids()) : OptionalLong.empty();
            if (id.isEmpty()) {
                complete = false;
                return null;
            }
            ids.put(attribute.property().getName(), attribute.type().convert(id.getAsLong()));
        }
        made++;
        return itsPlan.create(ids);
    }

    private Object filledPart(Object value, RelationalPersistentProperty part, boolean isInserted) {
        Plan itsPlan = entities.planFor(part.getActualType());
        if (value instanceof Map<?, ?> map) {
            return filledMap(map, itsPlan);
        }
        if (value instanceof Collection<?> collection) {
            return filledCollection(collection, itsPlan);
        }
        if (value instanceof Object[] array) {
            for (int i = 0; i < array.length; i++) {
                if (array[i] != null) {
                    array[i] = filled(array[i], itsPlan, true);
                }
            }
            return array;
        }
        return filled(value, itsPlan, isInserted);
    }

    private @Nullable Object filledElement(@Nullable Object element, Plan itsPlan) {
        return element == null ? null : filled(element, itsPlan, true);
    }

    /** A copy, if elements are copies; or if it is a set with new ids in it, since hash codes may depend on them. */
    private Collection<?> filledCollection(Collection<?> elements, Plan itsPlan) {
        int before = made;
        boolean copied = false;
        List<@Nullable Object> filled = new ArrayList<>(elements.size());
        for (Object element : elements) {
            Object now = filledElement(element, itsPlan);
            copied |= now != element;
            filled.add(now);
        }
        if (!copied && (made == before || !(elements instanceof Set))) {
            return elements;
        }
        Collection<@Nullable Object> copy = CollectionFactory.createApproximateCollection(elements, filled.size());
        copy.addAll(filled);
        return copy;
    }

    private Map<?, ?> filledMap(Map<?, ?> map, Plan itsPlan) {
        boolean copied = false;
        Map<Object, @Nullable Object> copy = CollectionFactory.createApproximateMap(map, map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object now = filledElement(entry.getValue(), itsPlan);
            copied |= now != entry.getValue();
            copy.put(entry.getKey(), now);
        }
        return copied ? copy : map;
    }
}
