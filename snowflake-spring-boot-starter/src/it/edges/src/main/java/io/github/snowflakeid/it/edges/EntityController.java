package io.github.snowflakeid.it.edges;

import java.util.List;
import java.util.Optional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Has entities as parameters, which Spring Data looks up by their IDs. */
@RestController
public class EntityController {

    public record LetterForm(Letter letter) {}

    @GetMapping("/entities/barrels/{barrel}")
    public String barrel(@PathVariable Barrel barrel) {
        return "barrel of " + barrel.getPlace();
    }

    @GetMapping("/entities/letters/{letter}")
    public Letter letter(@PathVariable Letter letter) {
        return letter;
    }

    @GetMapping("/entities/letters")
    public String letters(
            @RequestParam(defaultValue = "") List<Letter> among,
            @RequestParam Optional<Letter> maybe,
            LetterForm form) {
        return "%s %s %s".formatted(among.size(), maybe.isPresent(), form.letter() != null);
    }
}
