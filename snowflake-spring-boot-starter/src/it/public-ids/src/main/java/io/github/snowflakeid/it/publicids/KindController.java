package io.github.snowflakeid.it.publicids;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.IdFormat;
import java.math.BigInteger;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Takes an ID of each Java type in the path, as a parameter and in JSON, and returns it in JSON. */
@RestController
public class KindController {

    @PublicId(value = "order", prefix = "ord_")
    public record OrderNumber(long value) {}

    @SnowflakeId
    public record Code(String value) {}

    public record OfLong(
            @PublicId("order") long id, @PublicId("order") long other) {}

    @GetMapping("/kinds/long/{id}")
    public OfLong primitive(@PathVariable @PublicId("order") long id, @RequestParam @PublicId("order") long other) {
        return new OfLong(id, other);
    }

    @PostMapping("/kinds/long")
    public OfLong sameLong(@RequestBody OfLong ids) {
        return ids;
    }

    public record OfBoxed(
            @PublicId("order") Long id, @PublicId("order") Long other) {}

    @GetMapping("/kinds/boxed/{id}")
    public OfBoxed boxed(@PathVariable @PublicId("order") Long id, @RequestParam @PublicId("order") Long other) {
        return new OfBoxed(id, other);
    }

    @PostMapping("/kinds/boxed")
    public OfBoxed sameBoxed(@RequestBody OfBoxed ids) {
        return ids;
    }

    public record OfInteger(
            @PublicId("order") Integer id,
            @PublicId("order") Integer other) {}

    @GetMapping("/kinds/integer/{id}")
    public OfInteger integer(
            @PathVariable @PublicId("order") Integer id, @RequestParam @PublicId("order") Integer other) {
        return new OfInteger(id, other);
    }

    @PostMapping("/kinds/integer")
    public OfInteger sameInteger(@RequestBody OfInteger ids) {
        return ids;
    }

    public record OfBig(
            @PublicId("order") BigInteger id,
            @PublicId("order") BigInteger other) {}

    @GetMapping("/kinds/big/{id}")
    public OfBig big(
            @PathVariable @PublicId("order") BigInteger id, @RequestParam @PublicId("order") BigInteger other) {
        return new OfBig(id, other);
    }

    @PostMapping("/kinds/big")
    public OfBig sameBig(@RequestBody OfBig ids) {
        return ids;
    }

    public record OfRecord(OrderController.OrderId id, OrderController.OrderId other) {}

    @GetMapping("/kinds/record/{id}")
    public OfRecord typed(@PathVariable OrderController.OrderId id, @RequestParam OrderController.OrderId other) {
        return new OfRecord(id, other);
    }

    @PostMapping("/kinds/record")
    public OfRecord sameRecord(@RequestBody OfRecord ids) {
        return ids;
    }

    public record OfPrefixed(OrderNumber id, OrderNumber other) {}

    @GetMapping("/kinds/prefixed/{id}")
    public OfPrefixed prefixed(@PathVariable OrderNumber id, @RequestParam OrderNumber other) {
        return new OfPrefixed(id, other);
    }

    @PostMapping("/kinds/prefixed")
    public OfPrefixed samePrefixed(@RequestBody OfPrefixed ids) {
        return ids;
    }

    public record OfTicket(
            @IdText(value = IdFormat.CROCKFORD, prefix = "tkt_")
            Long id,

            @IdText(value = IdFormat.CROCKFORD, prefix = "tkt_")
            Long other) {}

    @GetMapping("/kinds/ticket/{id}")
    public OfTicket ticket(
            @PathVariable @IdText(value = IdFormat.CROCKFORD, prefix = "tkt_") Long id,
            @RequestParam @IdText(value = IdFormat.CROCKFORD, prefix = "tkt_") Long other) {
        return new OfTicket(id, other);
    }

    @PostMapping("/kinds/ticket")
    public OfTicket sameTicket(@RequestBody OfTicket ids) {
        return ids;
    }

    public record OfPlain(
            @IdAsString(prefix = "inv_") Long id,
            @IdAsString(prefix = "inv_") Long other) {}

    @GetMapping("/kinds/plain/{id}")
    public OfPlain plain(
            @PathVariable @IdAsString(prefix = "inv_") Long id, @RequestParam @IdAsString(prefix = "inv_") Long other) {
        return new OfPlain(id, other);
    }

    @PostMapping("/kinds/plain")
    public OfPlain samePlain(@RequestBody OfPlain ids) {
        return ids;
    }

    public record OfString(
            @SnowflakeId String id, @SnowflakeId String other) {}

    @GetMapping("/kinds/string/{id}")
    public OfString text(@PathVariable String id, @RequestParam String other) {
        return new OfString(id, other);
    }

    @PostMapping("/kinds/string")
    public OfString sameString(@RequestBody OfString ids) {
        return ids;
    }

    public record OfCode(Code id, Code other) {}

    @GetMapping("/kinds/code/{id}")
    public OfCode code(@PathVariable Code id, @RequestParam Code other) {
        return new OfCode(id, other);
    }

    @PostMapping("/kinds/code")
    public OfCode sameCode(@RequestBody OfCode ids) {
        return ids;
    }

    public record Checked(OrderController.OrderId typed) {}

    /** Stands for constraints that look the order up. */
    @InitBinder("checked")
    void check(WebDataBinder binder) {
        binder.addValidators(new Validator() {

            @Override
            public boolean supports(Class<?> type) {
                return type == Checked.class;
            }

            @Override
            public void validate(Object checked, Errors errors) {
                errors.rejectValue("typed", "unknown");
            }
        });
    }

    @GetMapping("/checked")
    public String checked(@Validated Checked checked) {
        return checked.toString();
    }
}
