package io.github.snowflakeid.it.removals;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassReader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Finds types and members that are marked for removal in the class files of the library. Sources do not suffice: they
 * are compiled against an older line, and a compiler does not report types that no source names.
 */
class RemovalsTests {

    /** Classes that the JVM loads only if the removed type exists, and what happens without it. */
    private static final Set<String> LOADED_ON_CONDITION = Set.of(
            // BodyMappers asks whether Spring has the classes.
            "io/github/snowflakeid/publicid/web/BodyMappers$Jackson2",
            // The JVM ignores an annotation whose type is absent. docs/compatibility.md names the limit.
            "io/github/snowflakeid/hibernate/package-info");

    private static final Pattern TYPE = Pattern.compile("L([\\w/$]+);");

    @Test
    void noClassThatEveryApplicationLoadsNeedsWhatIsMarkedForRemoval() throws IOException {
        Set<String> links = new TreeSet<>();
        int classes = 0;
        for (Resource each :
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/github/snowflakeid/**/*.class")) {
            try (InputStream bytes = each.getInputStream()) {
                ClassReader reader = new ClassReader(bytes);
                if (!reader.getClassName().contains("/it/") && !LOADED_ON_CONDITION.contains(reader.getClassName())) {
                    classes++;
                    collectLinks(reader, links);
                }
            }
        }
        assertThat(classes).isGreaterThan(300);
        assertThat(links).isEmpty();
    }

    /** The constant pool of a class names every type and member that the JVM may resolve. */
    private static void collectLinks(ClassReader reader, Set<String> links) {
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int item = reader.getItem(i);
            // The second half of a long or double has no offset.
            switch (item == 0 ? 0 : reader.readByte(item - 1)) {
                case 7 -> addType(reader, reader.readUTF8(item, buffer), links);
                case 9, 10, 11 -> {
                    int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
                    addMember(
                            reader,
                            reader.readClass(item, buffer),
                            reader.readUTF8(nameAndType, buffer),
                            reader.readUTF8(nameAndType + 2, buffer),
                            links);
                }
                case 12 ->
                    TYPE.matcher(reader.readUTF8(item + 2, buffer))
                            .results()
                            .forEach(type -> addType(reader, type.group(1), links));
                default -> {}
            }
        }
    }

    private static void addType(ClassReader reader, String name, Set<String> links) {
        @Nullable Class<?> type = load(name);
        if (type != null && isMarked(type)) {
            links.add(reader.getClassName() + " needs " + name);
        }
    }

    private static void addMember(ClassReader reader, String owner, String name, String descriptor, Set<String> links) {
        @Nullable Class<?> type = load(owner);
        @Nullable AnnotatedElement member = type == null ? null : member(type, name, descriptor);
        if (member != null && isMarked(member)) {
            links.add(reader.getClassName() + " needs " + owner + "." + name + descriptor);
        }
    }

    private static @Nullable AnnotatedElement member(Class<?> type, String name, String descriptor) {
        try {
            if (!descriptor.startsWith("(")) {
                return type.getDeclaredField(name);
            }
            Class<?>[] parameters = MethodType.fromMethodDescriptorString(descriptor, type.getClassLoader())
                    .parameterArray();
            return name.equals("<init>")
                    ? type.getDeclaredConstructor(parameters)
                    : type.getDeclaredMethod(name, parameters);
        } catch (NoSuchMethodException | NoSuchFieldException e) {
            @Nullable
            AnnotatedElement inherited =
                    type.getSuperclass() == null ? null : member(type.getSuperclass(), name, descriptor);
            for (Class<?> each : type.getInterfaces()) {
                inherited = inherited == null ? member(each, name, descriptor) : inherited;
            }
            return inherited;
        } catch (LinkageError | TypeNotPresentException e) {
            // The type is of another line, or of a library that is absent here.
            return null;
        }
    }

    private static boolean isMarked(AnnotatedElement element) {
        @Nullable Deprecated deprecated = element.getAnnotation(Deprecated.class);
        return deprecated != null && deprecated.forRemoval();
    }

    private static @Nullable Class<?> load(String name) {
        try {
            return Class.forName(name.replace('/', '.'), false, RemovalsTests.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }
}
