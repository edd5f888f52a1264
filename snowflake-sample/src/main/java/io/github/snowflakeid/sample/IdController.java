package io.github.snowflakeid.sample;

import io.github.snowflakeid.GeneratorStatistics;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.text.InvalidPublicIdException;
import io.github.snowflakeid.text.PublicIds;
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

    private final SnowflakeIdGenerator ids;
    private final IdLayout layout;
    private final PublicIds publicIds;

    IdController(SnowflakeIdGenerator ids, IdLayout layout, PublicIds publicIds) {
        this.ids = ids;
        this.layout = layout;
        this.publicIds = publicIds;
    }

    /** Returns new IDs. Caching is disabled, so that no cache returns the same IDs twice. */
    @GetMapping
    ResponseEntity<List<String>> next(@RequestParam(defaultValue = "10") String count) {
        long[] batch = ids.nextIds((int) Numbers.parse("count", count, 1, 10_000));
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noStore())
                .body(Arrays.stream(batch).mapToObj(Long::toString).toList());
    }

    /**
     * The figures that the page shows.
     *
     * @param issued how many IDs were issued
     * @param refusals how many calls got no ID, by reason
     */
    record Figures(long issued, Map<GeneratorStatistics.Refusal, Long> refusals) {}

    @GetMapping("/statistics")
    Figures statistics() {
        GeneratorStatistics statistics = ids.statistics();
        return new Figures(statistics.issued(), statistics.refusals());
    }

    /**
     * Decodes an ID or, for the page, the public ID of an order. This reveals what public IDs hide, so do not expose such an endpoint to
     * customers.
     */
    @GetMapping("/{id}")
    DecodedId decode(@PathVariable String id, @RequestParam(name = "layout", required = false) @Nullable String name) {
        long number = numberOf(id);
        try {
            return name == null
                    ? DecodedId.of(number, layout, publicIds.encode("order", number))
                    : DecodedId.of(number, preset(name), null);
        } catch (IllegalArgumentException e) {
            throw new BadRequest(String.valueOf(e.getMessage()));
        }
    }

    /** Parses an ID or a public ID. The key of this shop has a letter as its name, so no number is a public ID. */
    private long numberOf(String id) {
        if (!Character.isLetter(id.charAt(0))) {
            return Numbers.parse("id", id, 0, Long.MAX_VALUE);
        }
        try {
            return publicIds.decode("order", id);
        } catch (InvalidPublicIdException e) {
            throw new BadRequest("id must be a whole number or the public ID of an order, but was '%s'".formatted(id));
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
