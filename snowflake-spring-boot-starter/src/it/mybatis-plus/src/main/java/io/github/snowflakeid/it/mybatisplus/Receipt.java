package io.github.snowflakeid.it.mybatisplus;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;

public class Receipt {

    @TableId(type = IdType.ASSIGN_UUID)
    private String id;

    private String text;

    public String getId() {
        return id;
    }
}
