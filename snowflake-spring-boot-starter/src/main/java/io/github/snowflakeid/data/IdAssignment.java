package io.github.snowflakeid.data;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.data.IdProperties;
import io.github.snowflakeid.internal.data.IdProperty;
import io.github.snowflakeid.internal.mapping.Elements;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.util.Streamable;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

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
    private final ParentKey parent;
    private final @Nullable Object id;
    private final @Nullable Object version;
    private final boolean isNew;

    /** Whether the ID of the object is annotated and not set. */
    private final boolean lacksId;

    private IdAssignment(Object saved, AnnotatedEntities entities, boolean isRow, ParentKey parent) {
        this.entities = entities;
        this.saved = saved;
        this.isRow = isRow;
        this.parent = parent;
        plan = entities.planFor(ClassUtils.getUserClass(saved));
        isNew = isRow || (!plan.isEmpty() && plan.entity().isNew(saved));
        id = plan.hasAnnotatedId() ? plan.idOf(saved) : null;
        lacksId = plan.hasAnnotatedId() && (id == null ? isNew : isEmpty(id));
        version = lacksId ? plan.versionOf(saved) : null;
    }

    private boolean isEmpty(Object id) {
        if (plan.embeddedId() == null) {
            return !plan.annotatedId().orElseThrow().type().isSet(id);
        }
        Plan itsPlan = entities.planFor(id.getClass());
        PersistentPropertyAccessor<Object> parts = itsPlan.entity().getPropertyAccessor(id);
        return itsPlan.attributes().stream().anyMatch(part -> !part.isSet(parts));
    }

    /** Returns the assignment for an object and everything that is saved with it. */
    static IdAssignment ofAggregate(Object saved, AnnotatedEntities entities) {
        return new IdAssignment(saved, entities, false, ParentKey.NONE);
    }

    /**
     * Returns the assignment for an object that is inserted, without its parts in other rows.
     *
     * @param keys the columns that Spring Data sets itself
     */
    static IdAssignment ofRow(Object inserted, AnnotatedEntities entities, Set<String> keys) {
        return new IdAssignment(inserted, entities, true, new ParentKey(keys, null));
    }

    /**
     * Sets missing IDs.
     *
     * @param source generates an ID. If it throws an exception, the assignment can be repeated.
     * @return the object, or a copy if the object cannot be changed
     */
    Object fill(ToLongFunction<IdGenerator> source) {
        // Spring Data treats any ID object as the ID of an existing row.
        Object filled = filled(saved, plan, isNew || lacksId, parent, new Owner(plan.entity(), null), source);
        if (lacksId && plan.idOf(filled) != null) {
            entities.unsaved().add(filled, plan, id, version);
        }
        return filled;
    }

    /**
     * @param parent the columns that refer to the parent
     * @param owner the object whose ID parts without an ID refer to
     */
    private Object filled(
            Object object,
            Plan itsPlan,
            boolean isInserted,
            ParentKey parent,
            Owner owner,
            ToLongFunction<IdGenerator> source) {
        if (itsPlan.isEmpty()) {
            return object;
        }
        PersistentPropertyAccessor<Object> accessor = itsPlan.entity().getPropertyAccessor(object);
        for (IdProperty<RelationalPersistentProperty> attribute : itsPlan.attributes()) {
            if (parent.contains(attribute.property())) {
                parent.copyTo(attribute, accessor);
            } else if (isInserted) {
                attribute.fill(accessor, source);
            }
        }
        Owner itsOwner = itsPlan.entity().hasIdProperty()
                ? new Owner(itsPlan.entity(), itsPlan.idOf(accessor.getBean()))
                : owner;
        for (RelationalPersistentProperty part : itsPlan.parts()) {
            Object value = accessor.getProperty(part);
            Object filledValue = value;
            if (value == null && part.isIdProperty() && isInserted) {
                filledValue = newId(part, source);
            } else if (value != null && (part.isEmbedded() || !isRow)) {
                Plan itsPart = entities.planFor(part.getActualType());
                boolean isInsertedPart = isInserted || !part.isEmbedded();
                ParentKey key = !part.isEmbedded()
                        ? itsOwner.keyIn(part)
                        : StringUtils.hasLength(part.getEmbeddedPrefix()) ? ParentKey.NONE : parent;
                filledValue =
                        Elements.replace(value, each -> filled(each, itsPart, isInsertedPart, key, itsOwner, source));
            }
            if (filledValue != value) {
                IdProperties.requireSettable(part);
                accessor.setProperty(part, filledValue);
            }
        }
        return accessor.getBean();
    }

    /**
     * An object that other objects refer to.
     *
     * @param id its ID; null if the database generates it
     */
    private record Owner(
            RelationalPersistentEntity<?> entity, @Nullable Object id) {

        ParentKey keyIn(RelationalPersistentProperty part) {
            return new ParentKey(Set.of(part.getReverseColumnName(entity).getReference()), id);
        }
    }

    /**
     * The columns with the key of the parent. An ID in one of these columns is the ID of the parent.
     *
     * @param id the ID of the parent; null if Spring Data writes it
     */
    private record ParentKey(Set<String> columns, @Nullable Object id) {

        static final ParentKey NONE = new ParentKey(Set.of(), null);

        boolean contains(RelationalPersistentProperty property) {
            return columns.contains(property.getColumnName().getReference());
        }

        void copyTo(IdProperty<RelationalPersistentProperty> attribute, PersistentPropertyAccessor<Object> accessor) {
            @Nullable Object copy = id == null ? null : attribute.copyOf(id);
            if (copy != null && !copy.equals(accessor.getProperty(attribute.property()))) {
                accessor.setProperty(attribute.property(), copy);
            }
        }
    }

    /** Creates an embedded ID. Returns null if only the application can create it, because it has other attributes. */
    private @Nullable Object newId(RelationalPersistentProperty part, ToLongFunction<IdGenerator> source) {
        Plan itsPlan = entities.planFor(part.getActualType());
        int size = Streamable.of(itsPlan.entity()).toList().size();
        return itsPlan.attributes().size() == size ? itsPlan.create(source) : null;
    }
}
