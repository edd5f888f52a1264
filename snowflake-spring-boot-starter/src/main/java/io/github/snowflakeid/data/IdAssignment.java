package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.data.AnnotatedEntities.Plan;
import io.github.snowflakeid.internal.data.IdProperties;
import io.github.snowflakeid.internal.mapping.Elements;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.util.Streamable;
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
    private final Object saved;
    private final boolean isRow;
    private final boolean isNew;

    /** Whether Spring Data treats the object as an existing row because its ID is an object, although it is empty. */
    private final boolean hasEmptyId;

    private IdAssignment(Object saved, AnnotatedEntities entities, boolean isRow) {
        this.entities = entities;
        this.saved = saved;
        this.isRow = isRow;
        plan = entities.planFor(ClassUtils.getUserClass(saved));
        isNew = isRow || (!plan.isEmpty() && plan.entity().isNew(saved));
        hasEmptyId = !isNew && hasEmptyId();
    }

    private boolean hasEmptyId() {
        Object id = plan.hasAnnotatedId() ? plan.idOf(saved) : null;
        if (id == null || plan.embeddedId() == null) {
            return id != null && !plan.annotatedId().orElseThrow().type().isSet(id);
        }
        Plan itsPlan = entities.planFor(id.getClass());
        PersistentPropertyAccessor<Object> parts = itsPlan.entity().getPropertyAccessor(id);
        return itsPlan.attributes().stream().anyMatch(part -> !part.isSet(parts));
    }

    /** Returns the assignment for an object and everything that is saved with it. */
    static IdAssignment ofAggregate(Object saved, AnnotatedEntities entities) {
        return new IdAssignment(saved, entities, false);
    }

    /** Returns the assignment for an object that is inserted, without its parts in other rows. */
    static IdAssignment ofRow(Object inserted, AnnotatedEntities entities) {
        return new IdAssignment(inserted, entities, true);
    }

    /**
     * Sets missing IDs.
     *
     * @param source generates an ID. If it throws an exception, the assignment can be repeated.
     * @return the object, or a copy if the object cannot be changed
     */
    Object fill(ToLongFunction<IdGenerator> source) {
        Object filled = filled(saved, plan, isNew || hasEmptyId, source);
        if (hasEmptyId) {
            entities.rememberFilled(Objects.requireNonNull(plan.idOf(filled)));
        }
        return filled;
    }

    private Object filled(Object object, Plan itsPlan, boolean isInserted, ToLongFunction<IdGenerator> source) {
        if (itsPlan.isEmpty()) {
            return object;
        }
        PersistentPropertyAccessor<Object> accessor = itsPlan.entity().getPropertyAccessor(object);
        if (isInserted) {
            itsPlan.attributes().forEach(attribute -> attribute.fill(accessor, source));
        }
        for (RelationalPersistentProperty part : itsPlan.parts()) {
            Object value = accessor.getProperty(part);
            Object filledValue = value;
            if (value == null && part.isIdProperty() && isInserted) {
                filledValue = newId(part, source);
            } else if (value != null && (part.isEmbedded() || !isRow)) {
                Plan itsPart = entities.planFor(part.getActualType());
                boolean isInsertedPart = isInserted || !part.isEmbedded();
                filledValue = Elements.replace(value, each -> filled(each, itsPart, isInsertedPart, source));
            }
            if (filledValue != value) {
                IdProperties.requireSettable(part);
                accessor.setProperty(part, filledValue);
            }
        }
        return accessor.getBean();
    }

    /** Creates an embedded ID. Returns null if only the application can create it, because it has other attributes. */
    private @Nullable Object newId(RelationalPersistentProperty part, ToLongFunction<IdGenerator> source) {
        Plan itsPlan = entities.planFor(part.getActualType());
        int size = Streamable.of(itsPlan.entity()).toList().size();
        return itsPlan.attributes().size() == size ? itsPlan.create(source) : null;
    }
}
