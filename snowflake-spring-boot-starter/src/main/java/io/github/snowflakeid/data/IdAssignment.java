package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
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
 * Sets the missing IDs of one object that is saved. Attributes of the object itself and of objects embedded in it get IDs only if the
 * object is new. Its other parts, such as child rows, are inserted again with each save, so each part without an ID gets one.
 *
 * <p>For use by one thread at a time.
 */
@SuppressWarnings("ReferenceEquality") // A changed copy must be saved even if it equals the object.
final class IdAssignment {

    private final AnnotatedEntities entities;
    private final Plan plan;
    private final boolean isRow;
    private final boolean isEarly;
    private final boolean isNew;
    private final boolean hadEmptyId;
    private Object saved;

    private Function<IdGenerator, OptionalLong> source = ids -> OptionalLong.empty();
    private boolean complete = true;
    private int assigned;

    private IdAssignment(Object saved, AnnotatedEntities entities, boolean isRow, boolean isEarly) {
        this.entities = entities;
        this.saved = saved;
        this.isRow = isRow;
        this.isEarly = isEarly;
        plan = entities.planFor(ClassUtils.getUserClass(saved));
        boolean isNewRow = isRow || (!plan.isEmpty() && plan.entity().isNew(saved));
        hadEmptyId = !isNewRow && hasEmptyId();
        isNew = isNewRow || hadEmptyId;
    }

    /** Whether Spring Data treats the object as an existing row because its ID is not null, although the ID object is empty. */
    boolean hadEmptyId() {
        return hadEmptyId;
    }

    /** Returns the current ID of the object. */
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

    /**
     * Returns the assignment for an object and everything that is saved with it.
     *
     * @param isEarly whether a callback of the application may still set an ID that can be set only in part
     */
    static IdAssignment ofAggregate(Object saved, AnnotatedEntities entities, boolean isEarly) {
        return new IdAssignment(saved, entities, false, isEarly);
    }

    /** Returns the assignment for an object that is inserted, without its parts in other rows. */
    static IdAssignment ofRow(Object inserted, AnnotatedEntities entities) {
        return new IdAssignment(inserted, entities, true, false);
    }

    /**
     * Sets missing IDs.
     *
     * @param ids generates an ID; returns empty if it cannot at this moment
     * @return whether all IDs are set
     */
    boolean fill(Function<IdGenerator, OptionalLong> ids) {
        source = ids;
        complete = true;
        saved = filled(saved, plan, isNew);
        return complete;
    }

    /** Returns the object, or a copy if the object cannot be changed, with the IDs that are set so far. */
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
                    assigned++;
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
                AnnotatedEntities.rejectUnlessSettable(part, "");
                accessor.setProperty(part, filledValue);
            }
        }
        return accessor.getBean();
    }

    /**
     * Creates an embedded ID. Its numbers are passed to the constructor, which may reject null. Returns null if a number cannot be
     * generated at this moment, or if the application may still create the ID.
     */
    private @Nullable Object newId(Plan owner, RelationalPersistentProperty part) {
        Plan itsPlan = entities.planFor(part.getActualType());
        for (RelationalPersistentProperty property : itsPlan.entity()) {
            if (itsPlan.attributes().stream()
                    .noneMatch(attribute -> attribute.property().equals(property))) {
                if (isEarly) {
                    return null;
                }
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
        assigned++;
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

    /**
     * Sets missing IDs in elements. Returns a copy of the collection if elements were copied, or if it is a set in which IDs were set, since
     * hash codes may depend on IDs.
     */
    private Collection<?> filledCollection(Collection<?> elements, Plan itsPlan) {
        int before = assigned;
        boolean copied = false;
        List<@Nullable Object> filled = new ArrayList<>(elements.size());
        for (Object element : elements) {
            Object now = filledElement(element, itsPlan);
            copied |= now != element;
            filled.add(now);
        }
        if (!copied && (assigned == before || !(elements instanceof Set))) {
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
