package io.github.snowflakeid.it.publicids;

import io.github.snowflakeid.publicid.PublicId;
import java.beans.ConstructorProperties;
import java.util.List;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.MatrixVariable;
import org.springframework.web.bind.annotation.RestController;

/** Takes IDs from the rarer parts of a request. */
@RestController
public class ParameterController {

    @GetMapping("/cookie")
    public String cookie(@CookieValue @PublicId("order") long id) {
        return Long.toString(id);
    }

    @GetMapping("/matrix/{any}")
    public String matrix(@MatrixVariable @PublicId("order") long id) {
        return Long.toString(id);
    }

    public record OfAccessor(long id) {

        @Override
        @PublicId("order")
        public long id() {
            return id;
        }
    }

    public static class OfGetter {

        private final long id;

        public OfGetter(long id) {
            this.id = id;
        }

        @PublicId("order")
        public long getId() {
            return id;
        }
    }

    public static class OfSuperclass extends OfGetter {

        @ConstructorProperties("id")
        public OfSuperclass(long any) {
            super(any);
        }
    }

    public interface WithSetter {

        void setId(@PublicId("order") long id);
    }

    public static class OfInterface implements WithSetter {

        private long id;

        @Override
        public void setId(long id) {
            this.id = id;
        }
    }

    public static class OfConstructor {

        private long id;

        public OfConstructor(@PublicId("order") long id) {
            this.id = id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    public record OfList(List<Long> ids) {

        @Override
        @PublicId("order")
        public List<Long> ids() {
            return ids;
        }
    }

    @GetMapping("/forms/accessor")
    public String accessor(OfAccessor form) {
        return Long.toString(form.id);
    }

    @GetMapping("/forms/getter")
    public String getter(OfGetter form) {
        return Long.toString(form.id);
    }

    @GetMapping("/forms/superclass")
    public String superclass(OfSuperclass form) {
        return Long.toString(form.getId());
    }

    @GetMapping("/forms/constructor")
    public String constructor(OfConstructor form) {
        return Long.toString(form.id);
    }

    @GetMapping("/forms/interface")
    public String ofInterface(OfInterface form) {
        return Long.toString(form.id);
    }

    @GetMapping("/forms/list")
    public String list(OfList form) {
        return form.ids.toString();
    }
}
