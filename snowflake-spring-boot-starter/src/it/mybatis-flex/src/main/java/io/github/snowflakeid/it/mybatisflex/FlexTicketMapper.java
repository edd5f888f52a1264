package io.github.snowflakeid.it.mybatisflex;

import com.mybatisflex.core.BaseMapper;

public interface FlexTicketMapper extends BaseMapper<FlexTicket> {}
