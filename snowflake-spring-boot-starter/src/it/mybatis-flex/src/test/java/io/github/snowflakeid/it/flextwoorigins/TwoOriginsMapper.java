package io.github.snowflakeid.it.flextwoorigins;

import com.mybatisflex.annotation.Id;
import com.mybatisflex.annotation.KeyType;
import com.mybatisflex.annotation.Table;
import com.mybatisflex.core.BaseMapper;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.it.flextwoorigins.TwoOriginsMapper.TwoOrigins;

public interface TwoOriginsMapper extends BaseMapper<TwoOrigins> {

    /** The database generates its key. */
    @Table("orders")
    class TwoOrigins {

        @Id(keyType = KeyType.Auto)
        @SnowflakeId
        private Long id;

        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }
}
