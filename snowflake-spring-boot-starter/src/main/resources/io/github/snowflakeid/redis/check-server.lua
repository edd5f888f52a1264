-- Returns two answers of INFO of the server that has the key.
return {info('memory') .. info('persistence'), info('replication')}
