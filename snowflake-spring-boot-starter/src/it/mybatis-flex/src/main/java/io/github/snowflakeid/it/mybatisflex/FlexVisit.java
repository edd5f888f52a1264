package io.github.snowflakeid.it.mybatisflex;

import com.mybatisflex.annotation.Id;
import com.mybatisflex.annotation.Table;
import io.github.snowflakeid.SnowflakeId;

/** Only the annotation of this library. */
@Table("visit")
public class FlexVisit {

    @Id
    @SnowflakeId
    private long id;

    private String page;

    public long getId() {
        return id;
    }

    public void setId(long id) {
        this.id = id;
    }

    public String getPage() {
        return page;
    }

    public void setPage(String page) {
        this.page = page;
    }
}
