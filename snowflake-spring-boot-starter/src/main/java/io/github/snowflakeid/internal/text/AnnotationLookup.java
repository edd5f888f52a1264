package io.github.snowflakeid.internal.text;

import java.lang.annotation.Annotation;
import org.jspecify.annotations.Nullable;

/** Finds the annotations of an attribute, a parameter or a type, such as a reference to {@code getAnnotation}. */
public interface AnnotationLookup {

    /**
     * Returns an annotation.
     *
     * @param <A> the type of the annotation
     * @param annotation the type of the annotation
     * @return null if there is none
     */
    <A extends Annotation> @Nullable A find(Class<A> annotation);

    /**
     * Returns a lookup that looks elsewhere for an annotation that this one does not find.
     *
     * @param other where to look next
     * @return a lookup in both
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
