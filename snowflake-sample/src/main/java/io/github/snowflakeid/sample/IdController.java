package io.github.snowflakeid.sample;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/ids")
class IdController {

    private final IdGenerator ids;
    private final IdLayout layout;

    IdController(IdGenerator ids, IdLayout layout) {
        this.ids = ids;
        this.layout = layout;
    }

    /** No cache on the way may hand the same ids out again. */
    @GetMapping
    ResponseEntity<List<String>> next(@RequestParam(defaultValue = "10") String count) {
        long[] batch = ids.nextIds((int) Numbers.parse("count", count, 1, 10_000));
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noStore())
                .body(Arrays.stream(batch).mapToObj(Long::toString).toList());
    }

    @GetMapping("/{id}")
    DecodedId decode(@PathVariable String id, @RequestParam(name = "layout", required = false) @Nullable String name) {
        long number = Numbers.parse("id", id, 0, Long.MAX_VALUE);
        IdLayout of = name == null ? layout : preset(name);
        try {
            return DecodedId.of(number, of);
        } catch (IllegalArgumentException notOfThisLayout) {
            throw new BadRequest(String.valueOf(notOfThisLayout.getMessage()));
        }
    }

    private static IdLayout preset(String name) {
        Map<String, IdLayout> presets = IdLayout.presets();
        IdLayout preset = presets.get(name.toLowerCase(Locale.ROOT).replace('_', '-'));
        if (preset == null) {
            throw new BadRequest(
                    "layout must be one of %s, but was '%s'".formatted(String.join(", ", presets.keySet()), name));
        }
        return preset;
    }
}
