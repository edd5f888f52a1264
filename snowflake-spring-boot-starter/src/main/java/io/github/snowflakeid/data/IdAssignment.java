package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.data.AnnotatedEntities.Attribute;
import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import io.github.snowflakeid.internal.mapping.Elements;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.util.ClassUtils;

/**
 * Sets the missing IDs of one object that is saved. Attributes of the object itself and of objects embedded in it get
 * IDs only if the object is new. Its other parts, such as child rows, are inserted again with each save, so each part
 * without an ID gets one.
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

    /**
     * Whether Spring Data treats the object as an existing row because its ID is not null, although the ID object is
     * empty.
     */
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
                Plan itsPart = entities.planFor(part.getActualType());
                boolean isInsertedPart = isInserted || !part.isEmbedded();
                filledValue = Elements.replace(value, each -> filled(each, itsPart, isInsertedPart));
            }
            if (filledValue != value) {
                AnnotatedEntities.rejectUnlessSettable(part, "");
                accessor.setProperty(part, filledValue);
            }
        }
        return accessor.getBean();
    }

    /**
     * Creates an embedded ID. Its numbers are passed to the constructor, which may reject null. Returns null if a
     * number cannot be generated at this moment, or if the application may still create the ID.
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
        return itsPlan.create(ids);
    }
}
