package io.github.snowflakeid.internal.text;

import java.lang.annotation.Annotation;
import org.jspecify.annotations.Nullable;

/** Finds the annotations of an attribute, a parameter or a type, for example by a method reference to {@code getAnnotation}. */
public interface AnnotationLookup {

    /**
     * Returns an annotation.
     *
     * @param <A> the type of the annotation
     * @param annotation the type of the annotation
     * @return the annotation; null if there is none
     */
    <A extends Annotation> @Nullable A find(Class<A> annotation);

    /**
     * Returns a lookup that asks another lookup for annotations that this one does not find.
     *
     * @param other the lookup to ask next
     * @return the combined lookup
     */
    default AnnotationLookup or(AnnotationLookup other) {
        AnnotationLookup first = this;
        return new AnnotationLookup() {

            @Override
            public <A extends Annotation> @Nullable A find(Class<A> annotation) {
                A found = first.find(annotation);
                return found == null ? other.find(annotation) : found;
            }
        };
    }
}
