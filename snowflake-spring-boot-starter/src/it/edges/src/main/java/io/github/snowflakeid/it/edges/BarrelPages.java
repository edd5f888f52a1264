package io.github.snowflakeid.it.edges;

import io.github.snowflakeid.publicid.PublicId;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Pages of Thymeleaf. */
@Controller
public class BarrelPages {

    public static class BarrelForm {

        private BarrelId id;

        @PublicId("barrel")
        private long number;

        public BarrelId getId() {
            return id;
        }

        public void setId(BarrelId id) {
            this.id = id;
        }

        public long getNumber() {
            return number;
        }

        public void setNumber(long number) {
            this.number = number;
        }
    }

    @GetMapping("/pages/{id}")
    public String barrel(@PathVariable BarrelId id, Model model) {
        BarrelForm form = new BarrelForm();
        form.setId(id);
        form.setNumber(id.value());
        model.addAttribute("barrel", form);
        return "barrel";
    }

    @GetMapping("/redirects/{id}")
    public String redirect(@PathVariable BarrelId id, RedirectAttributes attributes) {
        attributes.addAttribute("id", id);
        return "redirect:/pages/{id}";
    }
}
