package io.github.snowflakeid.internal.text;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Finds the annotations of an attribute, a parameter or a type, for example by a method reference to
 * {@code getAnnotation}.
 */
public interface AnnotationLookup {

    /**
     * Returns an annotation.
     *
     * @param annotation the type of the annotation
     * @return the annotation; null if there is none
     */
    @Nullable
    Annotation get(Class<? extends Annotation> annotation);

    /**
     * Returns an annotation.
     *
     * @param <A> the type of the annotation
     * @param annotation the type of the annotation
     * @return the annotation; null if there is none
     */
    default <A extends Annotation> @Nullable A find(Class<A> annotation) {
        Annotation found = get(annotation);
        return found == null ? null : annotation.cast(found);
    }

    /**
     * Returns a lookup of the annotations of fields, methods, parameters or types, including inherited ones.
     *
     * @param places the annotated elements, the most important one first
     * @return the lookup
     */
    static AnnotationLookup of(List<? extends AnnotatedElement> places) {
        return annotation -> places.stream()
                .<Annotation>flatMap(
                        each -> Stream.ofNullable(AnnotatedElementUtils.findMergedAnnotation(each, annotation)))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns a lookup that asks another lookup for annotations that this one does not find.
     *
     * @param other the lookup to ask next
     * @return the combined lookup
     */
    default AnnotationLookup or(AnnotationLookup other) {
        return annotation -> {
            Annotation found = get(annotation);
            return found == null ? other.get(annotation) : found;
        };
    }
}
