package io.github.snowflakeid.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.publicid.PublicId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.OverridingClassLoader;
import org.springframework.core.convert.TypeDescriptor;

class IdTextConverterTests {

    static class Optional {}

    static class OfField {
        Optional part;
    }

    static class OfElements {
        List<Optional> parts;
    }

    static class OfMethod {
        void setPart(Optional part) {}
    }

    static class OfConstructor {
        final long value = 0;

        OfConstructor(Optional part) {}
    }

    static class Form {
        OfField field;
        OfElements elements;
        OfMethod method;
        OfConstructor constructor;

        @PublicId("order")
        Long order;
    }

    /**
     * Loads the classes of this test again, but not {@link Optional}, like a library without another, optional library.
     */
    private static final class Loader extends OverridingClassLoader {

        Loader() {
            super(IdTextConverterTests.class.getClassLoader());
        }

        @Override
        protected boolean isEligibleForOverriding(String name) {
            return name.startsWith(IdTextConverterTests.class.getName());
        }

        @Override
        protected Class<?> loadClassForOverriding(String name) throws ClassNotFoundException {
            if (name.equals(Optional.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClassForOverriding(name);
        }
    }

    @Test
    void classesOfLibrariesThatAreMissingAreSkipped() throws Exception {
        Class<?> form = new Loader().loadClass(Form.class.getName());
        IdTextConverter converter = new IdTextConverter(new IdTextCodecs(() -> null));
        List<String> forms = new ArrayList<>();

        converter.visit(TypeDescriptor.valueOf(form), "a parameter", (type, where) -> {
            IdTextCodec found = converter.formOf(type);
            if (found != null) {
                forms.add(found.toString());
            }
        });

        assertThat(forms).containsExactly("@PublicId(\"order\")");
    }
}
